import { Injectable } from '@nestjs/common';
import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { DECIDE_REPORTS } from '../reports/report.query';
import { DecisionNotices } from './decision-notices';
import { LOCK_OPEN_REPORTS, type OpenReportRow } from './decision.query';

/** The object of the open reports, and its content at the time of the first open report. */
interface ReportedObject {
  readonly type: ReportSubject;
  readonly id: number;
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/** The open reports on an object. One decision gives all of them the same outcome (MOD-41). */
@Injectable()
export class OpenReports {
  constructor(
    private readonly notices: DecisionNotices,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the open reports until the transaction ends, and returns them, the oldest report first. Call this before you
   * lock the object itself.
   */
  async lock(tx: Transaction, type: ReportSubject, id: number): Promise<readonly OpenReportRow[]> {
    return tx.rows<OpenReportRow>(LOCK_OPEN_REPORTS, [type, id]);
  }

  /**
   * Sets the outcome of the open reports, and returns their number. Notifies the reporters who have an account
   * (MOD-44); `ReportAnswersSource` sends mails to the other reporters.
   */
  async close(tx: Transaction, { type, id, snapshot }: ReportedObject, outcome: ReportOutcome): Promise<number> {
    const decided = await tx.rows<{ id: string; reporter_id: string | null }>(DECIDE_REPORTS, [
      type,
      id,
      outcome,
      this.clock.now(),
    ]);
    for (const { id: reportId, reporter_id } of decided) {
      if (reporter_id !== null)
        await this.notices.notifyReporter(tx, Number(reporter_id), Number(reportId), { type, snapshot, outcome });
    }
    return decided.length;
  }
}

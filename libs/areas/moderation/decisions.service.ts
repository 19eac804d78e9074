import { Injectable } from '@nestjs/common';
import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import { AuditLog } from '#platform/audit/audit-log';
import { hideActor } from '#platform/changes/hide-actor';
import { Database, type Transaction } from '#platform/database/database';
import { CannotDecide } from './decisions/cannot-decide';
import { DecisionEffects } from './decisions/decision-effects';
import { DecisionRecords, OUTCOMES } from './decisions/decision-records';
import { REPORTED_OBJECT, type OpenReportRow, type ReportedObjectRow } from './decisions/decision.query';
import { OpenReports } from './decisions/open-reports';

export { CannotDecide } from './decisions/cannot-decide';

export type Decision = keyof typeof OUTCOMES;
export const DECISIONS = Object.keys(OUTCOMES) as Decision[];

/** The decision about a reported object. */
export interface DecisionInput {
  readonly decision: Decision;
  readonly reason: string;
  /** Duration of a ban in days; null or absent for a permanent ban. It is ignored for the other decisions. */
  readonly days?: number | null;
  /** Null if the decision comes from the command line. */
  readonly actorId: number | null;
}

/** The result of a decision. */
export interface DecisionResult {
  readonly subject_type: ReportSubject;
  /** The id of the object, as sent in the first open report. */
  readonly subject_id: string;
  readonly outcome: ReportOutcome;
  /** The number of open reports that the decision closed. */
  readonly reports: number;
}

/** Decisions about reported objects. Each decision closes all open reports on the object (MOD-41 to MOD-45). */
@Injectable()
export class DecisionsService {
  constructor(
    private readonly database: Database,
    private readonly effects: DecisionEffects,
    private readonly reports: OpenReports,
    private readonly records: DecisionRecords,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Decides on the object of this report.
   * @throws CannotDecide if the report does not exist or is closed, if the actor is the author of the object, or if the
   * decision is not possible for the object
   */
  async decide(reportId: number, input: DecisionInput): Promise<DecisionResult> {
    return this.database.transaction(async (tx) => {
      await hideActor(tx);
      const { type, id, firstReport } = await this.lockReportedObject(tx, reportId);
      const { decision, reason, actorId } = input;
      const days = decision === 'ban' ? (input.days ?? null) : null;
      const authorId = firstReport.author_id === null ? null : Number(firstReport.author_id);
      if (actorId !== null && authorId === actorId) throw new CannotDecide('own');
      const bannedUntil = await this.effects.apply(
        tx,
        { type, id, authorId, sent: firstReport.subject_sent },
        { decision, reason, days, actorId },
      );

      const outcome = OUTCOMES[decision];
      const { subject_sent: sent, snapshot } = firstReport;
      await this.records.add(tx, {
        type,
        id,
        sent,
        snapshot,
        authorId,
        action: decision,
        days,
        until: bannedUntil,
        reason,
        actorId,
      });
      const reports = await this.reports.close(tx, { type, id, snapshot: firstReport.snapshot }, outcome);
      const details = { reports, ...(days !== null && { days }) };
      await this.audit.record(tx, {
        actorId,
        action: `report ${decision}`,
        subject: `${type} ${firstReport.subject_sent}`,
        reason,
        details,
      });
      return { subject_type: type, subject_id: firstReport.subject_sent, outcome, reports };
    });
  }

  private async lockReportedObject(
    tx: Transaction,
    reportId: number,
  ): Promise<{ type: ReportSubject; id: number; firstReport: OpenReportRow }> {
    const [reported] = await tx.rows<ReportedObjectRow>(REPORTED_OBJECT, [reportId]);
    if (!reported) throw new CannotDecide('no_report');
    const { subject_type: type } = reported;
    const id = Number(reported.subject_id);
    const openReports = await this.reports.lock(tx, type, id);
    const [firstReport] = openReports;
    // Another moderator may have decided while this request waited for the lock.
    if (!firstReport || !openReports.some((report) => Number(report.id) === reportId))
      throw new CannotDecide('decided');
    return { type, id, firstReport };
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Locale, ReportReason, ReportSubject } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { titleOf } from './decisions/decision-notices';
import {
  ADD_ANONYMOUS_REPORT,
  LOCK_REPORTING_ADDRESS,
  REPORTS_OF_ADDRESS,
  SELECT_SAME_ANONYMOUS_REPORT,
} from './reports/report.query';
import { NOBODY, ReportSubjects } from './reports/subjects';

/** A report by a person without an account. */
export interface AnonymousReport {
  readonly name: string;
  readonly email: string;
  readonly locale: Locale;
  readonly subject_type: ReportSubject;
  readonly subject_id: string;
  readonly reason: ReportReason;
  readonly note: string;
}

const DAY_SECONDS = 86_400;

/** Reports by people without an account, who get the outcome by mail (MOD-70 to MOD-73). */
@Injectable()
export class AnonymousReportsService {
  constructor(
    private readonly database: Database,
    private readonly subjects: ReportSubjects,
    private readonly clock: Clock,
  ) {}

  /**
   * The object's name as this user sees it, and whether the user owns the object; null if the user does not see the
   * object. `userId` is null for a person who is signed out.
   */
  async nameFor(
    type: ReportSubject,
    sentId: string,
    userId: number | null,
  ): Promise<{ readonly name: string; readonly isOwn: boolean } | null> {
    const subject = await this.subjects.seenBy(this.database, type, sentId, userId ?? NOBODY);
    return subject && { name: titleOf(type, subject.snapshot), isOwn: subject.authorId === userId };
  }

  /**
   * Stores a report. `email` must be a valid address. Throws these errors:
   * - 422 on `subject_id` if a signed-out person does not see the object
   * - 409 `already_reported` if this address has an undecided report on the object with other content
   * - 429 `daily_report_limit` if this address has already sent the allowed number of reports in the last 24 hours
   *
   * If the same report is sent again while it is undecided, nothing changes. A repeated form is recognized by its
   * content, because the forms of visitors have no idempotency key: keys are stored for accounts.
   */
  async create(report: AnonymousReport): Promise<void> {
    await this.database.transaction((tx) => this.addReport(tx, report));
  }

  private async addReport(
    tx: Transaction,
    { name, email, locale, subject_type, subject_id, reason, note }: AnonymousReport,
  ): Promise<void> {
    const subject = await this.subjects.seenBy(tx, subject_type, subject_id, NOBODY);
    if (!subject) throw Refusal.invalid('subject_id', 'unknown');
    const now = this.clock.now();
    await tx.rows(LOCK_REPORTING_ADDRESS, [email]);
    const values = [
      name,
      email,
      locale,
      subject_type,
      subject.id,
      subject_id,
      subject.authorId,
      JSON.stringify(subject.snapshot),
      reason,
      note,
      now,
    ];
    if ((await tx.rows(ADD_ANONYMOUS_REPORT, values)).length === 0) {
      const same = await tx.rows(SELECT_SAME_ANONYMOUS_REPORT, [name, email, subject_type, subject.id, reason, note]);
      if (same.length === 0) throw new Refusal('already_reported');
      return;
    }
    const [count] = await tx.rows<{ total: number }>(REPORTS_OF_ADDRESS, [
      email,
      new Date(now.getTime() - DAY_SECONDS * 1000),
    ]);
    if ((count?.total ?? 0) > LIMITS.moderation.reports_per_day)
      throw new Refusal('daily_report_limit', { retryAfter: DAY_SECONDS });
  }
}

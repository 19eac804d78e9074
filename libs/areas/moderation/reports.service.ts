import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { QuotasCommands } from '../quotas/quotas.commands';
import { titleOf } from './decisions/decision-notices';
import type { CreateReportDto } from './reports/report.dto';
import { ADD_REPORT, OWN_REPORTS, OWN_REPORTS_TOTAL } from './reports/report.query';
import { reportResource, type OwnReportRow, type ReportResource, type ReportRow } from './reports/report.resource';
import { ReportSubjects } from './reports/subjects';

/** Reports by people with an account (MOD-30 to MOD-34). */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly subjects: ReportSubjects,
    private readonly quotas: QuotasCommands,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws 422 on `subject_id` if the caller does not see the object or owns it, 409 `already_reported` if the caller
   * already has an open report on it, and 429 `daily_report_limit` after too many reports in a day.
   */
  async create(reporter: Pick<Caller, 'id'>, report: CreateReportDto): Promise<ReportResource> {
    return this.database.transaction((tx) => this.addReport(tx, reporter.id, report));
  }

  /** The caller's reports, the latest report first. */
  async list(caller: Caller, query: PageQueryDto): Promise<Page<ReportResource>> {
    return (await this.page(caller, query)).map((row) => reportResource(row, this.wire));
  }

  /**
   * Like `list`, with the names of the reported objects, and the slugs of posts and people. A link to a post or person
   * needs the slug, but the `subject_id` of a report may be the id (MOD-101). `isRemoved` is true if the object was
   * removed because of the report, and the caller still cannot see the object.
   */
  async listForPage(
    caller: Caller,
    query: PageQueryDto,
  ): Promise<
    Page<ReportResource & Pick<OwnReportRow, 'slug'> & { readonly name: string; readonly isRemoved: boolean }>
  > {
    return (await this.page(caller, query)).mapAsync(async (row) => ({
      ...reportResource(row, this.wire),
      slug: row.slug,
      name: titleOf(row.subject_type, row.snapshot),
      isRemoved:
        row.outcome === 'removed' &&
        !(await this.subjects.seenBy(this.database, row.subject_type, row.subject_sent, caller.id)),
    }));
  }

  private page(caller: Caller, query: PageQueryDto): Promise<Page<OwnReportRow>> {
    const listing = { list: OWN_REPORTS, total: OWN_REPORTS_TOTAL };
    return readPage(this.database, listing, [caller.id], sliceOf(query));
  }

  private async addReport(
    tx: Transaction,
    reporterId: number,
    { subject_type, subject_id, reason, note = null }: CreateReportDto,
  ): Promise<ReportResource> {
    const subject = await this.subjects.seenBy(tx, subject_type, subject_id, reporterId);
    if (!subject) throw Refusal.invalid('subject_id', 'unknown');
    if (subject.authorId === reporterId) throw Refusal.invalid('subject_id', 'own_thing');
    const [row] = await tx.rows<ReportRow>(ADD_REPORT, [
      reporterId,
      subject_type,
      subject.id,
      subject_id,
      subject.authorId,
      JSON.stringify(subject.snapshot),
      reason,
      note,
      this.clock.now(),
    ]);
    if (!row) throw new Refusal('already_reported');
    await this.quotas.take(tx, 'reports', reporterId);
    return reportResource(row, this.wire);
  }
}

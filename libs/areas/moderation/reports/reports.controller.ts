import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { CreateReportDto } from './report.dto';
import { ReportResource } from './report.resource';
import { ReportsService } from '../reports.service';

/** Reports to the moderators (MOD-30 to MOD-34). Reported people do not learn who reported them. */
@ApiTags('Reports')
@Controller('reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /** Lists what you have reported. The latest report comes first; `outcome` is null until the moderators decide. */
  @Get()
  @AnswersPage(ReportResource)
  async listReports(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
  ): Promise<Page<ReportResource>> {
    return this.reports.list(caller, query.read());
  }

  /**
   * Reports something to the moderators. You must be able to see the thing, and it must not be your own; otherwise 422
   * on `subject_id`. While your report on a thing is open, another report of yours on the same thing is refused with
   * 409 `already_reported`.
   */
  @Post()
  @Answers(ReportResource, { status: 201 })
  @Refuses('already_reported', 'daily_report_limit')
  async createReport(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreateReportDto) input: Input<CreateReportDto>,
  ): Promise<One<ReportResource>> {
    return one(await this.reports.create(caller, input.read()));
  }
}

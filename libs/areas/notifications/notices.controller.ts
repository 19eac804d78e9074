import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Answers, AnswersPage, one, type One } from '#platform/http/answers';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { localeOf } from '#platform/http/wire-headers';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { ReadNoticesDto } from './notice.dto';
import { NoticeResource, UnreadNoticesResource } from './notice.resource';
import { NoticesService } from './notices.service';

/** The caller's notices (NOTE-1 to NOTE-4). */
@ApiTags('Notices')
@Controller('notices')
export class NoticesController {
  constructor(private readonly notices: NoticesService) {}

  /**
   * Lists your notices, newest first. Notices are stored for 90 days. `meta.unread` is the number of all unread
   * notices, not only of the notices on this page.
   */
  @Get()
  @AnswersPage(NoticeResource, { meta: { unread: { type: 'integer', description: 'unread notices on all pages' } } })
  async listNotices(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
    @Req() request: FastifyRequest,
  ): Promise<Page<NoticeResource, UnreadNoticesResource>> {
    return this.notices.list(caller, query.read(), { locale: localeOf(request), timezone: caller.timezone });
  }

  /**
   * Marks a notice and all older notices as read. The answer contains the number of notices that are still unread.
   * `up_to` must be one of your notices; otherwise 422.
   */
  @Post('read')
  @HttpCode(200)
  @Answers(UnreadNoticesResource)
  async readNotices(
    @CurrentCaller() caller: Caller,
    @BodyInput(ReadNoticesDto) body: Input<ReadNoticesDto>,
  ): Promise<One<UnreadNoticesResource>> {
    return one(await this.notices.markReadUpTo(caller, body.read()));
  }
}

import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersPage, Refuses } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { RequestsQueryDto } from './request.dto';
import { LoggedRequestResource, loggedRequestResource } from './request.resource';
import { RequestsReader } from './requests.reader';

/** The list of a person's own requests (LOG-1 to LOG-5). */
@ApiTags('Requests')
@Controller('requests')
export class RequestsController {
  constructor(
    private readonly requests: RequestsReader,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Lists the requests that were made with your tokens; a token of an app lists only the requests of its own grant. The
   * list contains at most 10,000 requests of the last 7 days, newest first, including refused requests. Bodies, queries
   * and IP addresses are not stored. A request appears within 5 seconds after its answer. The requests that read this
   * list are entries of the list too, so `links.next` may repeat entries: to read the whole list, send the last id of
   * each page as `before`. If the server does not log requests, the answer is 404.
   */
  @Get()
  @AnswersPage(LoggedRequestResource)
  @Refuses('not_found')
  async listRequests(
    @CurrentCaller() caller: Caller,
    @QueryInput(RequestsQueryDto) query: Input<RequestsQueryDto>,
  ): Promise<Page<LoggedRequestResource>> {
    const page = await this.requests.list({ userId: caller.id, grantId: caller.token.grantId }, query.read());
    return page.map((row) => loggedRequestResource(row, this.wire));
  }
}

import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestsQueryDto } from '#areas/requests/request.dto';
import type { RequestRow } from '#areas/requests/request.query';
import { RequestsReader, type RequestCount } from '#areas/requests/requests.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { chartOf, type Chart } from '../charts';
import { localShortDay, localStart, localTime } from '../local-time';
import { CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { readListing } from '../listing';
import { translator } from '../texts';
import { view, type View } from '../view';

const STATUSES = ['2xx', '3xx', '4xx', '5xx'];

/**
 * /account/requests: the requests that were sent with the account's tokens, and a chart of these requests (LOG-8). The
 * page has the query parameters of GET /requests. Throws 404 if the request log is off.
 */
@PageController()
@SignedInOnly()
export class RequestPages {
  constructor(
    private readonly requests: RequestsReader,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/requests')
  async list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    if (!this.requests.isOn) throw new Refusal('not_found');
    const owner = { userId: member.user.id, grantId: null };
    let counts: readonly RequestCount[] = [];
    const { page, ...listing } = await readListing(request, member.locale, RequestsQueryDto, async (query) => {
      const found = await this.requests.list(owner, query);
      counts = await this.requests.overTime(owner, query);
      return found;
    });
    return view(
      'requests',
      {
        ...listing,
        title: translator(member.locale)('requests_tab'),
        tab: 'requests',
        statuses: STATUSES,
        chart: chartOfRequests(member, counts),
        requests: page?.items.map((row) => this.rowOf(row, member)) ?? [],
      },
      page ? 200 : 422,
    );
  }

  private rowOf(row: RequestRow, member: Member): object {
    return {
      ...row,
      at: localTime(member, row.at),
      token: row.token_id === null ? null : { id: this.wire.id('token', row.token_id), name: row.token_name },
    };
  }
}

function chartOfRequests(member: Member, counts: readonly RequestCount[]): Chart {
  const say = translator(member.locale);
  return chartOf({
    title: say('requests_chart'),
    series: [
      { name: say('requests_done'), as: 'column' },
      { name: say('requests_refused'), as: 'column' },
    ],
    points: counts.map(({ at, done, refused }) => ({
      // `at` is also passed as `now`, so that the label does not contain the year.
      label: localStart(member, at, at),
      axis: localShortDay(member, at),
      values: [done, refused],
    })),
  });
}

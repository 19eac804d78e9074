import { Injectable } from '@nestjs/common';
import type { AccountLimit } from '#contract/account-limits';
import type { Queryable } from '#platform/database/database';
import type { Usage } from '#platform/database/usage';
import { StreamsReader } from '../changes/streams.reader';
import { CommentsCommands } from '../comments/comments.commands';
import { GroupsCommands } from '../groups/groups.commands';
import { TokensCommands } from '../identity/tokens.commands';
import { ParticipationReader } from '../participation/participation.reader';
import { SearchesCommands } from '../people/searches.commands';
import { PulsCommands } from '../puls/puls.commands';
import { QuotasCommands } from '../quotas/quotas.commands';
import { SeriesReader } from '../series/series.reader';
import { WebhooksReader } from '../webhooks/webhooks.reader';

/** Limits that are counted in the database. */
export type CountedLimit = Exclude<AccountLimit, 'requests' | 'requests_per_ip'>;

type Count = (database: Queryable, accountId: number) => Promise<Usage>;

/**
 * For each limit that is counted in the database, a function that returns the account's usage of the limit. The area
 * that enforces a limit counts the usage.
 */
@Injectable()
export class AccountUsages {
  readonly counters: Readonly<Record<CountedLimit, Count>>;

  constructor(
    quotas: QuotasCommands,
    comments: CommentsCommands,
    puls: PulsCommands,
    groups: GroupsCommands,
    series: SeriesReader,
    participation: ParticipationReader,
    tokens: TokensCommands,
    streams: StreamsReader,
    webhooks: WebhooksReader,
    searches: SearchesCommands,
  ) {
    this.counters = {
      event_creation: (on, id) => quotas.usage(on, 'events', id),
      puls_creation: (on, id) => quotas.usage(on, 'puls', id),
      comments: (on, id) => comments.usage(on, id),
      user_searches: (on, id) => searches.usage(on, id),
      puls_active: (on, id) => puls.usage(on, id),
      groups_founded: (on, id) => groups.foundedUsage(on, id),
      series_live: (on, id) => series.liveUsage(on, id),
      join_requests: (on, id) => participation.joinRequestUsage(on, id),
      tokens: (on, id) => tokens.usage(on, id),
      reports: (on, id) => quotas.usage(on, 'reports', id),
      streams: (on, id) => streams.usage(on, id),
      webhooks: (on, id) => webhooks.usage(on, id),
    };
  }
}

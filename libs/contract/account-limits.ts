import { LIMITS } from './limits';

/**
 * The limits of `GET /limits`, by name. Each limit applies to a whole account, token or IP address. `limit` is the same
 * constant that the code uses to refuse requests. `requests` and `requests_per_ip` have no `limit` here, because the
 * operator can set their numbers.
 */
export const ACCOUNT_LIMITS = {
  requests: { per: 'minute' },
  requests_per_ip: { per: 'minute' },
  event_creation: { per: 'day', limit: LIMITS.events.created_per_day },
  puls_creation: { per: 'day', limit: LIMITS.puls.created_per_day },
  comments: { per: 'minute', limit: LIMITS.comments.per_user.max },
  user_searches: { per: 'minute', limit: LIMITS.people.searches.max },
  puls_active: { per: 'account', limit: LIMITS.puls.free_active },
  groups_founded: { per: 'account', limit: LIMITS.groups.founded_per_account },
  series_live: { per: 'account', limit: LIMITS.series.live_per_account },
  join_requests: { per: 'account', limit: LIMITS.participation.pending_requests_per_user },
  tokens: { per: 'account', limit: LIMITS.tokens.per_account },
  reports: { per: 'day', limit: LIMITS.moderation.reports_per_day },
  streams: { per: 'account', limit: LIMITS.shares.streams.account },
  webhooks: { per: 'account', limit: LIMITS.webhooks.per_account },
} as const;

export type AccountLimit = keyof typeof ACCOUNT_LIMITS;
export const ACCOUNT_LIMIT_NAMES = Object.keys(ACCOUNT_LIMITS) as AccountLimit[];
/** Each limit counts actions in a minute or on a day, or the objects that the account has now (`account`). */
export const LIMIT_PERIODS = ['minute', 'day', 'account'] as const;

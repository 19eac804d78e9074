import { LIMITS } from '#contract/limits';
import type { RefusalCode } from '#contract/refusals';

/** Actions with a daily limit. A series counts as one event; its occurrences do not count. */
export const DAILY_LIMITS = {
  events: { perDay: LIMITS.events.created_per_day, refusal: 'daily_event_limit' },
  reports: { perDay: LIMITS.moderation.reports_per_day, refusal: 'daily_report_limit' },
  puls: { perDay: LIMITS.puls.created_per_day, refusal: 'daily_puls_limit' },
} as const satisfies Record<string, { perDay: number; refusal: RefusalCode }>;

export type DailyLimit = keyof typeof DAILY_LIMITS;

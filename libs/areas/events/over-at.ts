import { LIMITS } from '#contract/limits';

/** The time from which an event is over (EVT-16). */
export function overAt(startsAt: Date, endsAt: Date | null): Date {
  return endsAt ?? new Date(startsAt.getTime() + LIMITS.events.over_after_start * 1000);
}

import { LIMITS } from '#contract/limits';

/** The value of a raised limit. A limit is raised if a client's tests often repeat the limited action. */
export const RAISED_LIMIT = 1_000_000;

/**
 * The limits per day, hour or minute that are raised. The limits on attempts to guess (passwords, codes, sign-ins) are
 * not raised.
 */
const RAISED_LIMITS: readonly (readonly [object, string])[] = [
  [LIMITS.events, 'created_per_day'],
  [LIMITS.puls, 'created_per_day'],
  [LIMITS.moderation, 'reports_per_day'],
  [LIMITS.comments.per_user, 'max'],
  [LIMITS.people.searches, 'max'],
  [LIMITS.imports.per_account, 'max'],
];

/** Raises the limits in `RAISED_LIMITS`. Call this function before any module that reads them is loaded. */
export function raiseLimits(): void {
  for (const [limits, name] of RAISED_LIMITS) Object.assign(limits, { [name]: RAISED_LIMIT });
}

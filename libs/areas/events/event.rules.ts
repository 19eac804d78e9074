import { LIMITS } from '#contract/limits';
import { SEEKING_COMPANY_JOIN_MODES, type JoinMode } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import type { Event } from './event.entity';

/** An event as it would be after the change, with the join password in the clear. */
export type EventState = Pick<
  Event,
  | 'startsAt' | 'endsAt' | 'latitude' | 'longitude' | 'ageMin' | 'ageMax' | 'isPublic' | 'joinMode' | 'maxParticipants'
  | 'seekingCompany' | 'ticketPriceCredits' | 'sourceName' | 'confirmedCount'
> & { readonly joinPassword: string | null };

/** One rule over several fields: the field it is reported on, its text, and when it is broken. */
interface EventRule {
  readonly field: string;
  readonly text: Parameters<Violations['add']>[1];
  readonly broken: (event: EventState) => boolean;
}

/** Rules that hold on the resulting state, whatever was sent (api-spec, "Event"; decisions, "pairs" and "PATCH"). */
const EVENT_RULES: readonly EventRule[] = [
  { field: 'ends_at', text: 'after_start', broken: (e) => e.endsAt !== null && e.endsAt <= e.startsAt },
  { field: 'latitude', text: 'with_longitude', broken: (e) => e.latitude === null && e.longitude !== null },
  { field: 'longitude', text: 'with_latitude', broken: (e) => e.longitude === null && e.latitude !== null },
  { field: 'age_max', text: 'not_below_age_min', broken: (e) => e.ageMin !== null && e.ageMax !== null && e.ageMin > e.ageMax },
  { field: 'join_password', text: 'required_for_password_mode', broken: (e) => e.joinMode === 'password' && e.joinPassword === null },
  { field: 'join_mode', text: 'no_requests_when_paid', broken: (e) => e.joinMode === 'request' && e.ticketPriceCredits > 0 },
  {
    field: 'max_participants', text: 'below_present_count',
    broken: (e) => e.maxParticipants !== null && e.maxParticipants < e.confirmedCount + 1,
  },
  { field: 'seeking_company', text: 'seeking_not_allowed', broken: (e) => e.seekingCompany && !maySeekCompany(e) },
];

const SEEKING_MODES: ReadonlySet<JoinMode> = new Set(SEEKING_COMPANY_JOIN_MODES);

/** api-spec, "Event", `seeking_company`. */
function maySeekCompany(event: EventState): boolean {
  return (
    event.isPublic &&
    event.sourceName === null &&
    SEEKING_MODES.has(event.joinMode) &&
    event.ticketPriceCredits === 0 &&
    event.maxParticipants !== null &&
    event.maxParticipants >= LIMITS.events.seeking_company.min &&
    event.maxParticipants <= LIMITS.events.seeking_company.max
  );
}

/** All that is wrong with the event as it would be. */
export function eventViolations(event: EventState): Violations {
  const violations = new Violations();
  for (const { field, text, broken } of EVENT_RULES) if (broken(event)) violations.add(field, text);
  return violations;
}

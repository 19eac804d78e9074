import { LIMITS } from '#contract/limits';
import { SEEKING_COMPANY_JOIN_MODES, type JoinMode } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import { isWithinYears } from '#platform/time/years';
import type { Event } from '../event.entity';
import { participantsOf } from '../event-relation';
import { overAt } from '../over-at';

/** The state of an event after a change, or of a new event after its creation. */
export type EventState = Pick<
  Event,
  | 'startsAt'
  | 'endsAt'
  | 'latitude'
  | 'longitude'
  | 'ageMin'
  | 'ageMax'
  | 'isPublic'
  | 'joinMode'
  | 'maxParticipants'
  | 'seekingCompany'
  | 'ticketPriceCredits'
  | 'sourceName'
  | 'confirmedCount'
  | 'offersCount'
  | 'joinPasswordSealed'
> & {
  /** Whether this change replaces another join mode by `request` although the waitlist has entries. */
  readonly conflictsWithWaitlist: boolean;
  /** Whether this change sets the start or the end. The template of a series has neither. */
  readonly hasNewTimes: boolean;
  /**
   * A new event must not start before this time. Null for a change, and for an operator, because in these cases the
   * start may be in the past.
   */
  readonly earliestStart: Date | null;
};

/** The number of occupied seats. An offer also occupies a seat. */
const occupiedSeats = (event: Pick<EventState, 'confirmedCount' | 'offersCount'>): number =>
  participantsOf({ confirmed_count: event.confirmedCount }) + event.offersCount;

/** Whether participants and offers occupy more seats than the event has (EVT-6, JOIN-61). */
export function hasTooFewSeats(event: Pick<EventState, 'maxParticipants' | 'confirmedCount' | 'offersCount'>): boolean {
  return event.maxParticipants !== null && event.maxParticipants < occupiedSeats(event);
}

const SEEKING_MODES: ReadonlySet<JoinMode> = new Set(SEEKING_COMPANY_JOIN_MODES);

/** EVT-12: whether the event may seek company. */
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

/**
 * Returns an error for each rule that the event would break after the change, regardless of which fields were sent
 * (EVT-4, EVT-7, WIRE-23). Throws nothing.
 */
export function eventViolations(event: EventState): Violations {
  const { startsAt, endsAt, earliestStart, ageMin, ageMax, joinMode } = event;
  const violations = new Violations();
  if (earliestStart !== null && startsAt < earliestStart) violations.add('starts_at', 'not_in_the_past');
  // WIRE-10: an `ends_at` outside the supported years was already refused when the field was validated.
  if (event.hasNewTimes && !isWithinYears(overAt(startsAt, endsAt))) violations.add('starts_at', 'years', LIMITS.years);
  if (endsAt !== null && endsAt <= startsAt) violations.add('ends_at', 'after', { field: 'starts_at' });
  violations.bothOrNone(event, 'latitude', 'longitude');
  if (ageMin !== null && ageMax !== null && ageMin > ageMax)
    violations.add('age_max', 'not_below', { field: 'age_min' });
  if (joinMode === 'password' && event.joinPasswordSealed === null)
    violations.add('join_password', 'password_required');
  if (joinMode === 'request' && event.ticketPriceCredits > 0) violations.add('join_mode', 'requests_are_free');
  if (event.conflictsWithWaitlist) violations.add('join_mode', 'somebody_waits');
  if (hasTooFewSeats(event)) {
    const key = event.offersCount > 0 ? 'below_taken_seats' : 'below_participants';
    violations.add('max_participants', key, { count: occupiedSeats(event) });
  }
  if (event.seekingCompany && !maySeekCompany(event))
    violations.add('seeking_company', 'seeking_company', LIMITS.events.seeking_company);
  return violations;
}

import { LIMITS } from '#contract/limits';
import { SEEKING_COMPANY_JOIN_MODES, type JoinMode } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import type { Text } from '#platform/messages/messages';
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

/** A rule for the state of an event: whether an event breaks the rule, and the field and the text of the error. */
interface EventRule {
  readonly field: string;
  readonly broken: (event: EventState) => boolean;
  readonly text: (event: EventState) => Text;
}

/** The number of occupied seats. An offer also occupies a seat. */
const occupiedSeats = (event: Pick<EventState, 'confirmedCount' | 'offersCount'>): number =>
  participantsOf({ confirmed_count: event.confirmedCount }) + event.offersCount;

/** Whether the taken and offered seats are more than the event's maximum (EVT-6, JOIN-61). */
export function hasTooFewSeats(event: Pick<EventState, 'maxParticipants' | 'confirmedCount' | 'offersCount'>): boolean {
  return event.maxParticipants !== null && event.maxParticipants < occupiedSeats(event);
}

/** Rules for the state after the change, regardless of which fields were sent (EVT-4, EVT-7, WIRE-23). */
const EVENT_RULES: readonly EventRule[] = [
  {
    field: 'starts_at',
    broken: (e) => e.earliestStart !== null && e.startsAt < e.earliestStart,
    text: () => ({ key: 'not_in_the_past' }),
  },
  {
    // WIRE-10: an `ends_at` outside the supported years is already refused as a value.
    field: 'starts_at',
    broken: (e) => e.hasNewTimes && !isWithinYears(overAt(e.startsAt, e.endsAt)),
    text: () => ({ key: 'years', values: LIMITS.years }),
  },
  {
    field: 'ends_at',
    broken: (e) => e.endsAt !== null && e.endsAt <= e.startsAt,
    text: () => ({ key: 'after', values: { field: 'starts_at' } }),
  },
  {
    field: 'latitude',
    broken: (e) => e.latitude === null && e.longitude !== null,
    text: () => ({ key: 'required_with', values: { field: 'longitude' } }),
  },
  {
    field: 'longitude',
    broken: (e) => e.longitude === null && e.latitude !== null,
    text: () => ({ key: 'required_with', values: { field: 'latitude' } }),
  },
  {
    field: 'age_max',
    broken: (e) => e.ageMin !== null && e.ageMax !== null && e.ageMin > e.ageMax,
    text: () => ({ key: 'not_below', values: { field: 'age_min' } }),
  },
  {
    field: 'join_password',
    broken: (e) => e.joinMode === 'password' && e.joinPasswordSealed === null,
    text: () => ({ key: 'password_required' }),
  },
  {
    field: 'join_mode',
    broken: (e) => e.joinMode === 'request' && e.ticketPriceCredits > 0,
    text: () => ({ key: 'requests_are_free' }),
  },
  { field: 'join_mode', broken: (e) => e.conflictsWithWaitlist, text: () => ({ key: 'somebody_waits' }) },
  {
    field: 'max_participants',
    broken: hasTooFewSeats,
    text: (e) => ({
      key: e.offersCount > 0 ? 'below_taken_seats' : 'below_participants',
      values: { count: occupiedSeats(e) },
    }),
  },
  {
    field: 'seeking_company',
    broken: (e) => e.seekingCompany && !maySeekCompany(e),
    text: () => ({ key: 'seeking_company', values: LIMITS.events.seeking_company }),
  },
];

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

/** Returns an error for each rule that the event would break. Throws nothing. */
export function eventViolations(event: EventState): Violations {
  const violations = new Violations();
  for (const { field, broken, text } of EVENT_RULES) {
    if (!broken(event)) continue;
    const { key, values } = text(event);
    violations.add(field, key, values);
  }
  return violations;
}

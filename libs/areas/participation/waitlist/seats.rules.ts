import type { ParticipationState } from '#contract/vocabulary';
import { participantsOf, givesSeatsToWaitlist, type EventFacts, type WaitlistFacts } from '../../events/event-relation';

/** An event's seats and waitlist: the event's columns and SEAT_COLUMNS (seat-columns.ts). */
export interface SeatFacts extends WaitlistFacts, Pick<EventFacts, 'confirmed_count' | 'offers_count'> {
  readonly starts_at: Date;
  /** The times at which the stored offers end or have ended; null if there is no stored offer. */
  readonly offers_until: readonly Date[] | null;
  /**
   * The number of waitlisted people who have no offer and may join. Counting stops at the event's number of seats, or
   * at 1 if this number is not limited. The value is 0 if no seat can be free, or if the service does not give free
   * seats to the waitlist (`givesSeatsToWaitlist`).
   */
  readonly next_in_line: number;
}

/** A person's relation to the event, and the end of the person's stored offer. */
export interface OfferFacts {
  readonly participation: ParticipationState | null;
  readonly offer_expires_at: Date | null;
}

/**
 * JOIN-57: the time at which the person's open offer ends; null if the person has no offer or the offer has expired.
 */
export function openOfferUntil({ participation, offer_expires_at }: OfferFacts, now: Date): Date | null {
  const isOpen = participation === 'waitlisted' && offer_expires_at !== null && offer_expires_at > now;
  return isOpen ? offer_expires_at : null;
}

/** Whether the offer has expired. The person then is no longer on the waitlist, but the person's row still exists. */
export function isLapsed({ participation, offer_expires_at }: OfferFacts, now: Date): boolean {
  return participation === 'waitlisted' && offer_expires_at !== null && offer_expires_at <= now;
}

interface PositionFacts extends OfferFacts {
  readonly waitlist_position: number | null;
  readonly offers_ahead: readonly Date[] | null;
}

/** JOIN-62: the position on the waitlist. People whose offers have expired are not counted and have no position. */
export function waitlistPosition(person: PositionFacts, now: Date): number | null {
  if (person.waitlist_position === null || isLapsed(person, now)) return null;
  return person.waitlist_position - (person.offers_ahead?.filter((until) => until <= now).length ?? 0);
}

/** The number of stored offers that have not expired. */
export function openOfferCount({ offers_until }: Pick<SeatFacts, 'offers_until'>, now: Date): number {
  return offers_until?.filter((until) => until > now).length ?? 0;
}

/**
 * The number of seats minus the number of participants (including the organizer). If the service gives free seats to
 * the waitlist (`givesSeatsToWaitlist`), open offers are subtracted too. Infinity if the number of seats is not
 * limited.
 */
function seatsLeft(event: SeatFacts, now: Date): number {
  const offeredSeats = givesSeatsToWaitlist(event) ? openOfferCount(event, now) : 0;
  return (event.max_participants ?? Infinity) - participantsOf(event) - offeredSeats;
}

/** Whether the service gives free seats to the waitlist at this time. It stops when the event starts. */
function givesSeatsNow(event: SeatFacts, now: Date): boolean {
  return givesSeatsToWaitlist(event) && now < event.starts_at;
}

/**
 * The number of seats that people who are not on the waitlist can take. Expired offers do not occupy seats. While the
 * service gives free seats to the waitlist, the seats that people on the waitlist will get next (`next_in_line`) are
 * subtracted.
 */
export function seatsForOthers(event: SeatFacts, now: Date): number {
  const freeSeats = seatsLeft(event, now);
  return givesSeatsNow(event, now) ? freeSeats - event.next_in_line : freeSeats;
}

/** Whether offers must be ended, or seats given to the waitlist, before the event's seats are checked (JOIN-58). */
export function areSeatsDue(event: SeatFacts, now: Date): boolean {
  if (event.offers_count > 0 && (!givesSeatsToWaitlist(event) || openOfferCount(event, now) < event.offers_count))
    return true;
  return event.next_in_line > 0 && givesSeatsNow(event, now) && seatsLeft(event, now) > 0;
}

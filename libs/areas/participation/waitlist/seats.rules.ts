import type { ParticipationState } from '#contract/vocabulary';
import { participantsOf, passesSeatsOn, type EventFacts, type WaitlistFacts } from '../../events/event-relation';

/** An event's seats and its waitlist, of SEAT_COLUMNS (seat-columns.ts). */
export interface SeatFacts extends WaitlistFacts, Pick<EventFacts, 'confirmed_count' | 'offers_count'> {
  readonly starts_at: Date;
  /** The ends of the stored offers; null without an offer. */
  readonly offers_until: readonly Date[] | null;
  /** Waitlisted people without an offer who could join, up to the number of seats; 0 if no seat can be free. */
  readonly asked_next: number;
}

/** A person's place on the waitlist. */
export interface OfferFacts {
  readonly participation: ParticipationState | null;
  readonly offer_expires_at: Date | null;
}

/** JOIN-57: the end of the person's open offer; null without one, and for one that has lapsed. */
export function openOfferUntil({ participation, offer_expires_at }: OfferFacts, now: Date): Date | null {
  const isOpen = participation === 'waitlisted' && offer_expires_at !== null && offer_expires_at > now;
  return isOpen ? offer_expires_at : null;
}

/** The offer has lapsed, so the entry on the waitlist is over although its row is still there. */
export function isLapsed({ participation, offer_expires_at }: OfferFacts, now: Date): boolean {
  return participation === 'waitlisted' && offer_expires_at !== null && offer_expires_at <= now;
}

export function openOffers({ offers_until }: Pick<SeatFacts, 'offers_until'>, now: Date): number {
  return offers_until?.filter((until) => until > now).length ?? 0;
}

/** Seats that neither a confirmed person nor an open offer takes; Infinity without a limit. */
function seatsLeft(event: SeatFacts, now: Date): number {
  const held = passesSeatsOn(event) ? openOffers(event, now) : 0;
  return (event.max_participants ?? Infinity) - participantsOf(event) - held;
}

function isPassingOn(event: SeatFacts, now: Date): boolean {
  return passesSeatsOn(event) && now < event.starts_at;
}

/**
 * The seats for people who do not wait, as their join would find them: lapsed offers are over, and eligible people on
 * the waitlist come first.
 */
export function seatsForOthers(event: SeatFacts, now: Date): number {
  const left = seatsLeft(event, now);
  return isPassingOn(event, now) ? left - event.asked_next : left;
}

/** Whether offers must end, or seats be passed on, before anything about the event's seats is judged (JOIN-58). */
export function areSeatsDue(event: SeatFacts, now: Date): boolean {
  if (event.offers_count > 0 && (!passesSeatsOn(event) || openOffers(event, now) < event.offers_count)) return true;
  return event.asked_next > 0 && isPassingOn(event, now) && seatsLeft(event, now) > 0;
}

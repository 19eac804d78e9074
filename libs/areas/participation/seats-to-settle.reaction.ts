import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { OffersToEnd, SeatsToSettle } from '../events/event.signal';
import type { UserBlocked, UserToBeBlocked } from '../identity/user.signal';
import { LOCK_EVENTS_WITH_OFFER } from './waitlist/waitlist.query';
import { WaitlistSeats } from './waitlist/waitlist-seats';

/** Ends expired offers and gives free seats to the waitlist, in the transaction that raises the signal (JOIN-54). */
@Injectable()
export class SettleSeats implements Reaction<SeatsToSettle> {
  constructor(private readonly seats: WaitlistSeats) {}

  async react(tx: Transaction, { eventIds }: SeatsToSettle): Promise<void> {
    await this.seats.settle(tx, eventIds);
  }
}

/**
 * Before a change of an event is stored, ends the offers that have expired or that the changed event no longer allows
 * (JOIN-61).
 */
@Injectable()
export class EndOffers implements Reaction<OffersToEnd> {
  constructor(private readonly seats: WaitlistSeats) {}

  async react(tx: Transaction, { event, cancels }: OffersToEnd): Promise<void> {
    await this.seats.endOffers(tx, event, cancels);
  }
}

/**
 * Before an organizer blocks a person, locks the organizer's events in which the person has an offer, because events
 * must be locked before users.
 */
@Injectable()
export class LockEventsWithOffer implements Reaction<UserToBeBlocked> {
  async react(tx: Transaction, { blockerId, slug }: UserToBeBlocked): Promise<void> {
    await tx.rows(LOCK_EVENTS_WITH_OFFER, [blockerId, slug]);
  }
}

/**
 * After an organizer has blocked a person, ends the person's offers at the organizer's events, and gives the seats to
 * other people (JOIN-59).
 */
@Injectable()
export class SettleAfterBlock implements Reaction<UserBlocked> {
  constructor(private readonly seats: WaitlistSeats) {}

  async react(tx: Transaction, { blockerId, slug }: UserBlocked): Promise<void> {
    const events = await tx.rows<{ id: string }>(LOCK_EVENTS_WITH_OFFER, [blockerId, slug]);
    await this.seats.settle(
      tx,
      events.map(({ id }) => Number(id)),
    );
  }
}

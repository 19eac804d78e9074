import { Injectable } from '@nestjs/common';
import type { DoorMark } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../../credits/credits.commands';
import type { Event } from '../../events/event.entity';
import type { Participation } from '../record/participation.entity';
import type { Mark } from './attendance';
import { DoorBook, type Guest } from './door-book';
import { ADD_MARKS, SELECT_DOOR_MARKS, SET_CHECKED_IN, type MarkRow } from './door.query';

/** Stores marks (`Mark`) and computes `checked_in_at` from them. The calling code has locked the event. */
@Injectable()
export class CheckIns {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly clock: Clock,
  ) {}

  /** Loads all marks of these guests. The calling code adds new marks to the returned book, and then calls `save`. */
  async load(tx: Transaction, event: Event, guests: readonly Guest[]): Promise<DoorBook> {
    const rows = await tx.rows<MarkRow>(SELECT_DOOR_MARKS, [event.id, guests.map(({ userId }) => userId)]);
    const marks = new Map<number, Mark[]>(guests.map(({ userId }) => [userId, []]));
    for (const { user_id, kind, second, ordinal, link_name } of rows)
      marks.get(Number(user_id))?.push({ kind, second: Number(second), ordinal: Number(ordinal), by: link_name });
    return new DoorBook(guests, marks);
  }

  /**
   * Stores the new marks, and the changed check-in times with the names of the door links. The held credits of people
   * who are now checked in are paid to the organizer; each hold is paid only once.
   */
  async save(tx: Transaction, event: Event, book: DoorBook): Promise<void> {
    const { newMarks, changedGuests } = book;
    if (newMarks.length > 0) {
      await tx.rows(ADD_MARKS, [
        event.id,
        newMarks.map(({ userId }) => userId),
        newMarks.map(({ kind }) => kind),
        newMarks.map(({ second }) => second),
        newMarks.map(({ by }) => by),
      ]);
    }
    if (changedGuests.length === 0) return;
    await tx.rows(SET_CHECKED_IN, [
      event.id,
      changedGuests.map(({ guest }) => guest.userId),
      changedGuests.map(({ arrivalTime }) => arrivalTime),
      changedGuests.map(({ by }) => by),
      this.clock.now(),
    ]);
    const holds = changedGuests.flatMap(({ guest, arrivalTime }) =>
      arrivalTime === null || guest.creditHoldId === null ? [] : [guest.creditHoldId],
    );
    await this.credits.releaseAll(tx, holds, event.organizerId);
  }

  /**
   * For the check-in endpoints: stores a mark with the current time and an ordinal that is greater than all stored
   * ordinals.
   */
  async storeMarkNow(
    tx: Transaction,
    event: Event,
    { userId, checkedInAt, checkedInBy, creditHoldId }: Participation,
    kind: DoorMark,
  ): Promise<void> {
    const book = await this.load(tx, event, [{ userId, checkedInAt, checkedInBy, creditHoldId }]);
    book.addMark(userId, kind, this.clock.now());
    await this.save(tx, event, book);
  }
}

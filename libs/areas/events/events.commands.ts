import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Sealer } from '#platform/config/sealer';
import { statement, type Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { GroupsReader } from '../groups/groups.reader';
import { blankEvent, changeEvent, type EventChanges } from './writing/event.changes';
import { Event } from './event.entity';
import { eventsWithWaitlistEntries } from './writing/waitlist.query';
import { EVENT_LOCK } from './event-locks';
import { EventDeleted, EventMoved, EventsCancelled, GroupEventCreated, type CancellationKind } from './event.signal';
import { keepOffersWithinSeats, settleSeats } from './writing/settle-seats';
import { hasMoved, timeAndPlaceOf } from './writing/time-and-place';

/** The fields of a new event. Only `title` and `starts_at` are mandatory. */
export interface NewEvent extends EventChanges {
  title: string;
  starts_at: Date;
  /** hashid */
  group?: string | null;
}

/** Fields that only operators may write. */
export interface EditorialFields {
  readonly ticketPriceCredits?: number;
  readonly boostedUntil?: Date | null;
  readonly source?: { readonly name: string; readonly url: string | null } | null;
}

const CANCEL_EVENTS = statement(
  'events_cancel',
  `UPDATE events SET status = 'cancelled', updated_at = $2 WHERE id = ANY($1) AND status = 'active' RETURNING id`,
);

const EVENT_OF_KEY = statement(
  'events_of_apply_key',
  'SELECT id FROM all_events WHERE organizer_id = $1 AND apply_key = $2',
);
const SET_KEY = statement('events_set_apply_key', 'UPDATE all_events SET apply_key = $2 WHERE id = $1');

/**
 * Removes group $1 from its events. $2 is now. Locks the events in the order of their ids, to prevent deadlocks between
 * transactions that lock several events.
 */
const RELEASE_EVENTS_FROM_GROUP = statement(
  'events_release_from_group',
  `UPDATE events SET group_id = NULL, updated_at = $2
    WHERE id IN (SELECT id FROM events WHERE group_id = $1 ORDER BY id ${EVENT_LOCK.rewrite})`,
);

/**
 * Writes to events, inside the transaction of the calling code. These methods check the rules of events; the calling
 * code checks the rights.
 */
@Injectable()
export class EventsCommands {
  constructor(
    private readonly groups: GroupsReader,
    private readonly ids: PublicIds,
    private readonly signals: Signals,
    private readonly media: MediaFiles,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an event and returns its id. If the event has a group, the members of the group are invited immediately,
   * and the event is private if `is_public` is absent. Throws 422 if the fields break a rule. Otherwise throws 422 on
   * `group` if the group is unknown or the organizer is not a member. `earliestStart`: the earliest allowed start; null
   * for operators, who also import events of the past.
   */
  async create(
    tx: Transaction,
    organizerId: number,
    { group = null, ...fields }: NewEvent,
    { earliestStart = null, ...editorial }: EditorialFields & { readonly earliestStart?: Date | null } = {},
  ): Promise<number> {
    const event = blankEvent(organizerId, this.clock.now());
    if (group !== null) event.isPublic = false;
    setEditorial(event, editorial);
    changeEvent(event, fields, this.sealer, { earliestStart });
    if (group !== null) event.groupId = await this.groupChosenBy(tx, organizerId, group);
    const { id } = await tx.manager.save(Event, event);
    if (event.groupId !== null) await this.signals.raise(tx, new GroupEventCreated(id, event.groupId, organizerId));
    return id;
  }

  /** The id of the event with this key in documents of `apply`, even if it was removed; null if there is none. */
  async idOfKey(tx: Transaction, organizerId: number, key: string): Promise<number | null> {
    const [row] = await tx.rows<{ id: string }>(EVENT_OF_KEY, [organizerId, key]);
    return row ? Number(row.id) : null;
  }

  /** Stores the key that identifies the event in later documents of the command `apply`. */
  async setKey(tx: Transaction, eventId: number, key: string): Promise<void> {
    await tx.rows(SET_KEY, [eventId, key]);
  }

  /**
   * Writes the changes into `event`, which the calling code has locked. If the changes alter no value, only
   * `settleSeats` runs and the event is not written. Throws 422 if the changes break a rule. `cancels`: the calling
   * code also cancels the event in this transaction, so seats that the change frees are not given to the waitlist, and
   * people get only the notice of the cancellation.
   */
  async change(
    tx: Transaction,
    event: Event,
    changes: EventChanges,
    { cancels = false, ...editorial }: EditorialFields & { readonly cancels?: boolean } = {},
  ): Promise<void> {
    const formerTimeAndPlace = timeAndPlaceOf(event);
    await settleSeats(tx, this.signals, [event]);
    const before = { ...event };
    setEditorial(event, editorial);
    const withWaitlist = await eventsWithWaitlistEntries(tx, [event.id], changes);
    changeEvent(event, changes, this.sealer, { hasWaitlist: withWaitlist.has(event.id) });
    if (isDeepStrictEqual({ ...event }, before)) return;
    await keepOffersWithinSeats(tx, this.signals, event, { cancels });
    event.updatedAt = this.clock.now();
    await tx.manager.save(Event, event);
    if (!cancels) await settleSeats(tx, this.signals, [event]);
    if (!event.isCancelled && !cancels && hasMoved(event, formerTimeAndPlace))
      await this.signals.raise(tx, new EventMoved(event.id, formerTimeAndPlace, event.startsAt));
  }

  /**
   * Cancels the active events among `eventIds`, and returns the number of cancelled events. Refunds and notices follow
   * in the same transaction.
   */
  async cancel(tx: Transaction, eventIds: readonly number[], kind: CancellationKind = 'event'): Promise<number> {
    const rows = await tx.rows<{ id: string }>(CANCEL_EVENTS, [eventIds, this.clock.now()]);
    if (rows.length > 0)
      await this.signals.raise(
        tx,
        new EventsCancelled(
          rows.map((row) => Number(row.id)),
          kind,
        ),
      );
    return rows.length;
  }

  /** Removes a group from its events, because the group is being deleted. The events are not deleted. */
  async releaseFromGroup(tx: Transaction, groupId: number): Promise<void> {
    await tx.rows(RELEASE_EVENTS_FROM_GROUP, [groupId, this.clock.now()]);
  }

  /** Deletes `event`, which the calling code has locked. Its files are deleted after the commit. */
  async remove(tx: Transaction, event: Event): Promise<void> {
    await this.signals.raise(tx, new EventDeleted(event.id));
    await tx.manager.delete(Event, { id: event.id });
    await this.media.markForDeletion(
      tx,
      event.images.map(({ key }) => key),
    );
  }

  /**
   * Returns the group's id. Throws 422 on `group` if the group is unknown or the organizer is not a member (GRP-19).
   * The group and the membership cannot be deleted until the transaction ends.
   */
  private async groupChosenBy(tx: Transaction, organizerId: number, hashid: string): Promise<number> {
    const groupId = this.ids.decode('group', hashid);
    if (groupId === null || !(await this.groups.lockMembership(tx, groupId, organizerId)))
      throw Refusal.invalid('group', 'not_your_group');
    return groupId;
  }
}

function setEditorial(event: Event, { ticketPriceCredits, boostedUntil, source }: EditorialFields): void {
  if (ticketPriceCredits !== undefined) event.ticketPriceCredits = ticketPriceCredits;
  if (boostedUntil !== undefined) event.boostedUntil = boostedUntil;
  if (source !== undefined) {
    event.sourceName = source?.name ?? null;
    event.sourceUrl = source?.url ?? null;
  }
}

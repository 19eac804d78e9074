import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { shortRead, statement, type Queryable, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { Event } from './event.entity';
import { lockEvent } from './event-locks';
import { isOrganizer, seesEventSql, visibilityOf, takesPart, type EventVisibility } from './event-relation';

/** A user's relation to an event. `participation` is null if the user has none. */
export interface EventRelation {
  readonly eventId: number;
  readonly organizerId: number;
  readonly isPublic: boolean;
  readonly participation: ParticipationState | null;
  readonly isOrganizer: boolean;
  /** True for the organizer and for confirmed participants. */
  readonly takesPart: boolean;
}

/**
 * Reads the event and the user's participation in one round trip, because the visibility of an event always depends on
 * the participation.
 */
const RELATION = shortRead(
  'events_relation',
  `SELECT e.organizer_id, e.is_public, p.status
     FROM events e LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = $2
    WHERE e.id = $1`,
);

const SEES_OCCURRENCE = statement(
  'events_sees_occurrence',
  `SELECT 1 AS seen FROM events e LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $2
    WHERE e.series_id = $1 AND ${seesEventSql('$2')} LIMIT 1`,
);

/**
 * The view `events` omits removed events, occurrences of removed series and, while the organizer is banned, the
 * organizer's events that are active and not over (docs/adr/0021-out-of-sight.md).
 */
const IS_VISIBLE = shortRead('events_is_visible', 'SELECT 1 AS seen FROM events WHERE id = $1');

/**
 * Visibility and ownership of events. An area whose data belongs to an event calls this policy before it reads or
 * writes the data.
 */
@Injectable()
export class EventAccessPolicy {
  /** Returns the user's relation to an event that the user may see. Throws 403 `banned` or 404 for other events. */
  async visible(database: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.relation(database, eventId, userId);
    const visibility = relation ? this.visibility(relation, userId) : 'hidden';
    if (!relation || visibility === 'hidden') throw new Refusal('not_found');
    if (visibility === 'banned') throw new Refusal('banned');
    return relation;
  }

  /** Whether the user may see the event. False if `visible` would throw a refusal. */
  async isSeenBy(database: Queryable, eventId: number, userId: number): Promise<boolean> {
    const relation = await this.relation(database, eventId, userId);
    return relation !== null && this.visibility(relation, userId) === 'seen';
  }

  /** Whether the user may see at least one event of the series. */
  async seesOccurrence(database: Queryable, seriesId: number, userId: number): Promise<boolean> {
    return (await database.rows(SEES_OCCURRENCE, [seriesId, userId])).length > 0;
  }

  /** Like `visible`, but refuses everyone except the organizer: 403 `forbidden`. */
  async organized(database: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.visible(database, eventId, userId);
    if (!relation.isOrganizer) throw new Refusal('forbidden');
    return relation;
  }

  /**
   * Like `organized`, and locks the event's row until the transaction ends, so that it is not changed concurrently.
   * Throws 404 if the event or the organizer's account was deleted while this call waited for the lock. (The event of a
   * deleted account belongs to a pseudonym.)
   */
  async lockOrganized(tx: Transaction, eventId: number, userId: number): Promise<Event> {
    await this.organized(tx, eventId, userId);
    const event = await lockEvent(tx, eventId);
    if (event?.organizerId !== userId) throw new Refusal('not_found');
    return event;
  }

  private visibility({ organizerId, isPublic, participation }: EventRelation, userId: number): EventVisibility {
    return visibilityOf({ organizer_id: organizerId, is_public: isPublic }, { userId, participation });
  }

  /**
   * Whether the event exists and is not hidden from everyone by a removal or a ban (`IS_VISIBLE`). Use this method for
   * data that belongs to an event but is shown without the event.
   */
  async inSight(database: Queryable, eventId: number): Promise<boolean> {
    return (await database.rows(IS_VISIBLE, [eventId])).length > 0;
  }

  /** Null if the event does not exist or is hidden from everyone (`inSight`). */
  async relation(database: Queryable, eventId: number, userId: number): Promise<EventRelation | null> {
    const [row] = await database.rows<{ organizer_id: string; is_public: boolean; status: ParticipationState | null }>(
      RELATION,
      [eventId, userId],
    );
    if (!row) return null;
    const person = { userId, participation: row.status };
    return {
      eventId,
      organizerId: Number(row.organizer_id),
      isPublic: row.is_public,
      participation: row.status,
      isOrganizer: isOrganizer(row, person),
      takesPart: takesPart(row, person),
    };
  }
}

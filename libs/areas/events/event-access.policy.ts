import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { Event } from './event.entity';
import { lockEvent } from './event-locks';
import { isOrganizer, sightOf, takesPart } from './event-relation';

/** What one user is to one event; no relation is null. */
export interface EventRelation {
  readonly eventId: number;
  readonly organizerId: number;
  readonly isPublic: boolean;
  readonly participation: ParticipationState | null;
  readonly isOrganizer: boolean;
  /** The organizer and the confirmed. */
  readonly takesPart: boolean;
}

/** Read from participation's table in one round trip: who sees an event depends on it everywhere. */
const RELATION = statement(
  'events_relation',
  `SELECT e.organizer_id, e.is_public, p.status
     FROM events e LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = $2
    WHERE e.id = $1`,
);

/** Who may see an event, and who manages it. Every area that hangs something on an event asks here first. */
@Injectable()
export class EventAccessPolicy {
  /** The caller's relation to an event they may see; 404 or 403 `banned` otherwise. */
  async visible(on: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.relation(on, eventId, userId);
    const sight = relation ? sightOf({ organizer_id: relation.organizerId, is_public: relation.isPublic }, { userId, participation: relation.participation }) : 'hidden';
    if (!relation || sight === 'hidden') throw new Refusal('not_found');
    if (sight === 'banned') throw new Refusal('banned');
    return relation;
  }

  /** As `visible`, and refuses everybody but the organizer: 403 `forbidden`. */
  async organized(on: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.visible(on, eventId, userId);
    if (!relation.isOrganizer) throw new Refusal('forbidden');
    return relation;
  }

  /** As `organized`, and locks the event's row until the transaction ends: nothing about it can race from here on. */
  async lockOrganized(tx: Transaction, eventId: number, userId: number): Promise<Event> {
    await this.organized(tx, eventId, userId);
    const event = await lockEvent(tx, eventId);
    if (!event) throw new Refusal('not_found');
    return event;
  }

  /** Null for an event that does not exist. */
  async relation(on: Queryable, eventId: number, userId: number): Promise<EventRelation | null> {
    const [row] = await on.rows<{ organizer_id: string; is_public: boolean; status: ParticipationState | null }>(RELATION, [eventId, userId]);
    if (!row) return null;
    const person = { userId, participation: row.status };
    return {
      eventId, organizerId: Number(row.organizer_id), isPublic: row.is_public, participation: row.status,
      isOrganizer: isOrganizer(row, person), takesPart: takesPart(row, person),
    };
  }
}

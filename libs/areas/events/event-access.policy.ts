import { Injectable } from '@nestjs/common';
import { PRIVATE_EVENT_VIEWERS, type ParticipationState } from '#contract/vocabulary';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { Event } from './event.entity';
import { lockEvent } from './relation/event.lock';

/** What one user is to one event; no relation is null. */
export interface EventRelation {
  readonly eventId: number;
  readonly organizerId: number;
  readonly isPublic: boolean;
  readonly participation: ParticipationState | null;
}

const SEES_PRIVATE: ReadonlySet<ParticipationState | null> = new Set(PRIVATE_EVENT_VIEWERS);

/** Read from participation's table in one round trip: who sees an event depends on it everywhere. */
const RELATION = statement(
  'events_relation',
  `SELECT e.organizer_id, e.is_public, p.status
     FROM events e LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = $2
    WHERE e.id = $1`,
);

/**
 * Refuses whoever may not see the event (EVT-23, EVT-24): 404, as for an id that does not exist; 403 `banned` to
 * the banned on a public one.
 */
function refuseUnlessVisible(relation: EventRelation, userId: number): void {
  if (relation.organizerId === userId) return;
  if (!relation.isPublic && !SEES_PRIVATE.has(relation.participation)) throw new Refusal('not_found');
  if (relation.participation === 'banned') throw new Refusal('banned');
}

/** Who may see an event, and who manages it. Every area that hangs something on an event asks here first. */
@Injectable()
export class EventAccessPolicy {
  /** The caller's relation to an event they may see; 404 or 403 `banned` otherwise. */
  async visible(on: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.relation(on, eventId, userId);
    if (!relation) throw new Refusal('not_found');
    refuseUnlessVisible(relation, userId);
    return relation;
  }

  /** As `visible`, and refuses everybody but the organizer: 403 `forbidden`. */
  async organized(on: Queryable, eventId: number, userId: number): Promise<EventRelation> {
    const relation = await this.visible(on, eventId, userId);
    if (relation.organizerId !== userId) throw new Refusal('forbidden');
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
    return { eventId, organizerId: Number(row.organizer_id), isPublic: row.is_public, participation: row.status };
  }
}

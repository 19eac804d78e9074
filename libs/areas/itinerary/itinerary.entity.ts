import { isDeepStrictEqual } from 'node:util';
import { Column, Entity } from 'typeorm';
import { Instant, KeyRef, Ref } from '#platform/database/columns';

/** A stop of a plan. The position of a stop is not stored: it results from the order of the stops in the plan. */
export interface Stop {
  readonly title: string | null;
  readonly notes: string | null;
  readonly location_name: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly duration_minutes: number | null;
}

/** The content of a plan, which is replaced as a whole. */
export interface Plan {
  readonly title: string;
  readonly description: string | null;
  readonly isPublic: boolean;
  readonly stops: readonly Stop[];
}

/** The plan of an event; at most one per event. */
@Entity('itineraries')
export class Itinerary {
  @KeyRef({ name: 'event_id' })
  eventId: number;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { name: 'is_public' })
  isPublic: boolean;

  @Column('jsonb')
  stops: readonly Stop[];

  /**
   * A trigger of the database assigns a new version at each change of a field that organizers write (sql/triggers.sql).
   */
  @Ref({ insert: false, update: false })
  version: number;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  /** Replaces the whole plan. Returns whether the new plan differs from the old plan. */
  replace(plan: Plan, now: Date): boolean {
    const before = { ...this };
    Object.assign(this, plan);
    if (isDeepStrictEqual({ ...this }, before)) return false;
    this.updatedAt = now;
    return true;
  }
}

/** Returns a new plan, which is not stored yet, for an event without a plan. */
export function newItinerary(eventId: number, plan: Plan, now: Date): Itinerary {
  return Object.assign(new Itinerary(), plan, { eventId, createdAt: now, updatedAt: now });
}

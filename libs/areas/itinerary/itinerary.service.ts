import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Violations, type Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { Wire } from '#platform/http/wire';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import type { PutItineraryDto, StopDto } from './itinerary.dto';
import { DELETE_ITINERARY, ITINERARY, PUT_ITINERARY, type ItineraryRow, type Stop } from './itinerary.query';
import { itineraryResource, type ItineraryResource } from './itinerary.resource';

/** The plan of an event (PLAN-2, PLAN-5). */
@Injectable()
export class ItineraryService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly wire: Wire,
    private readonly clock: Clock,
  ) {}

  /** Readable by everyone who sees the event; 404 without a plan. */
  async show(caller: Caller, eventId: number): Promise<ItineraryResource> {
    await this.access.visible(this.database, eventId, caller.id);
    const [row] = await this.database.rows<ItineraryRow>(ITINERARY, [eventId]);
    if (!row) throw new Refusal('not_found');
    return itineraryResource(row, this.wire);
  }

  /** Creates or replaces the whole plan. */
  async put(caller: Caller, eventId: number, input: Input<PutItineraryDto>): Promise<{ plan: ItineraryResource; created: boolean }> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const { title, description = null, is_public = false, stops } = input.read();
      refuseHalfPlaces(stops);
      const values = [eventId, title, description, is_public, JSON.stringify(stops.map(asKept)), this.clock.now()];
      const [row] = await tx.rows<ItineraryRow & { created: boolean }>(PUT_ITINERARY, values);
      if (!row) throw new Error('the plan was not stored');
      return { plan: itineraryResource(row, this.wire), created: row.created };
    });
  }

  async remove(caller: Caller, eventId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const removed = await tx.rows(DELETE_ITINERARY, [eventId]);
      if (removed.length === 0) throw new Refusal('not_found');
    });
  }
}

/** Latitude and longitude only together (PLAN-1). */
function refuseHalfPlaces(stops: readonly StopDto[]): void {
  const errors = new Violations();
  for (const [i, { latitude = null, longitude = null }] of stops.entries()) {
    errors.bothOrNone({ latitude, longitude }, 'latitude', 'longitude', `stops.${i}.`);
  }
  errors.throwIfAny();
}

function asKept(stop: StopDto): Stop {
  return {
    title: stop.title ?? null,
    notes: stop.notes ?? null,
    location_name: stop.location_name ?? null,
    latitude: stop.latitude ?? null,
    longitude: stop.longitude ?? null,
    duration_minutes: stop.duration_minutes ?? null,
  };
}

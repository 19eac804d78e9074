import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Violations } from '#platform/http/violations';
import type { Precondition } from '#platform/http/precondition';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import type { PutItineraryDto, StopDto } from './itinerary.dto';
import { Itinerary, newItinerary, type Plan, type Stop } from './itinerary.entity';
import { itineraryResource, type ItineraryResource } from './itinerary.resource';

/** Reads, writes and deletes the plan of an event (PLAN-2, PLAN-5, PLAN-6). */
@Injectable()
export class ItineraryService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the plan to everyone who sees the event. Throws 403 `banned` or 404 for other callers, and 404 if there is
   * no plan.
   */
  async show(caller: Caller, eventId: number): Promise<ItineraryResource> {
    const { isOrganizer } = await this.access.visible(this.database, eventId, caller.id);
    const itinerary = await this.database.manager.findOneBy(Itinerary, { eventId });
    if (!itinerary) throw new Refusal('not_found');
    return isOrganizer ? this.organizerView(itinerary) : itineraryResource(itinerary, this.wire);
  }

  /**
   * Creates the plan or replaces it completely. The event is locked, so concurrent requests cannot create two plans.
   */
  async put(
    caller: Caller,
    eventId: number,
    input: Input<PutItineraryDto>,
    precondition: Precondition,
  ): Promise<{ plan: ItineraryResource; created: boolean }> {
    return this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const existing = await findItinerary(tx, eventId);
      if (existing) await precondition.check(existing.version, () => this.organizerView(existing));
      else precondition.checkAbsent();
      const { title, description = null, is_public = false, stops } = input.read();
      refuseIncompleteCoordinates(stops);
      const plan: Plan = { title, description, isPublic: is_public, stops: stops.map(toStop) };
      const now = this.clock.now();
      if (!existing) await tx.manager.insert(Itinerary, newItinerary(eventId, plan, now));
      else if (existing.replace(plan, now)) await tx.manager.save(Itinerary, existing);
      const itinerary = (await findItinerary(tx, eventId)) as Itinerary;
      return { plan: this.organizerView(itinerary), created: existing === null };
    });
  }

  async remove(caller: Caller, eventId: number, precondition: Precondition): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      const itinerary = await findItinerary(tx, eventId);
      if (!itinerary) throw new Refusal('not_found');
      await precondition.check(itinerary.version, () => this.organizerView(itinerary));
      await tx.manager.delete(Itinerary, { eventId });
    });
  }

  /** The plan with its version. Everybody except the organizer gets the plan without the version. */
  private organizerView(itinerary: Itinerary): ItineraryResource {
    return withVersion(itineraryResource(itinerary, this.wire), itinerary.version);
  }
}

function findItinerary(tx: Transaction, eventId: number): Promise<Itinerary | null> {
  return tx.manager.findOneBy(Itinerary, { eventId });
}

/** Throws 422 if a stop has only one of the two coordinates (PLAN-1). */
function refuseIncompleteCoordinates(stops: readonly StopDto[]): void {
  const errors = new Violations();
  for (const [i, { latitude = null, longitude = null }] of stops.entries()) {
    errors.bothOrNone({ latitude, longitude }, 'latitude', 'longitude', `stops.${i}.`);
  }
  errors.throwIfAny();
}

function toStop(stop: StopDto): Stop {
  return {
    title: stop.title ?? null,
    notes: stop.notes ?? null,
    location_name: stop.location_name ?? null,
    latitude: stop.latitude ?? null,
    longitude: stop.longitude ?? null,
    duration_minutes: stop.duration_minutes ?? null,
  };
}

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { EventAccessPolicy } from '../events/event-access.policy';
import { Itinerary } from './itinerary.entity';
import { itineraryResource, type ItineraryResource } from './itinerary.resource';

/** Reads plans for other areas and for the pages. */
@Injectable()
export class ItineraryReader {
  constructor(
    private readonly database: Database,
    private readonly events: EventAccessPolicy,
    private readonly wire: WireFormat,
  ) {}

  /**
   * The plan that the public page of the plan shows. The event may be private. Null if the event has no plan, the plan
   * is not public, or the event is hidden from everyone (`inSight`).
   */
  async publicPlan(eventId: number): Promise<ItineraryResource | null> {
    if (!(await this.events.inSight(this.database, eventId))) return null;
    const itinerary = await this.database.manager.findOneBy(Itinerary, { eventId });
    return itinerary?.isPublic ? itineraryResource(itinerary, this.wire) : null;
  }

  /** The plans of these events. The keys of the map are event ids. The calling code has checked the visibility. */
  async plansByEvents(eventIds: readonly number[]): Promise<Map<number, ItineraryResource>> {
    const plans = await this.database.manager.findBy(Itinerary, { eventId: In([...eventIds]) });
    return new Map(plans.map((plan) => [plan.eventId, itineraryResource(plan, this.wire)]));
  }

  /** The plan of the event; null if there is none. The calling code has checked that the viewer sees the event. */
  async plan(eventId: number): Promise<ItineraryResource | null> {
    const itinerary = await this.database.manager.findOneBy(Itinerary, { eventId });
    return itinerary && itineraryResource(itinerary, this.wire);
  }
}

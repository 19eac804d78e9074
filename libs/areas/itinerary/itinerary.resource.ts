import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Itinerary } from './itinerary.entity';

/** A stop of an event's plan. */
export class StopResource {
  /** position in the plan; the first stop has position 1 */
  position: number;
  /** name of the stop; null when not given */
  title: string | null;
  /** plain text; null when not given */
  notes: string | null;
  /** name of the place; null when not given */
  location_name: string | null;
  /** degrees north; null exactly when `longitude` is null */
  latitude: number | null;
  /** degrees east; null exactly when `latitude` is null */
  longitude: number | null;
  /** how long the stop takes; null when not given */
  duration_minutes: number | null;
}

/** The plan of an event (PLAN-3). In addresses and identifiers, the plan is called itinerary. */
export class ItineraryResource {
  /** name of the plan */
  title: string;
  /** plain text; null when not given */
  description: string | null;
  /** whether the plan has a public web page */
  is_public: boolean;
  /** address of the public web page; null if `is_public` is false */
  url: string | null;
  /** in the order of the plan */
  stops: StopResource[];
  /** when the plan was first saved */
  created_at: string;
  /** when the plan was last changed */
  updated_at: string;
}

export function itineraryResource(itinerary: Itinerary, wire: WireFormat): ItineraryResource {
  return {
    title: itinerary.title,
    description: itinerary.description,
    is_public: itinerary.isPublic,
    url: itinerary.isPublic ? wire.page(`/events/${wire.id('event', itinerary.eventId)}/itinerary`) : null,
    stops: itinerary.stops.map((stop, i) => ({
      position: i + 1,
      title: stop.title,
      notes: stop.notes,
      location_name: stop.location_name,
      latitude: stop.latitude,
      longitude: stop.longitude,
      duration_minutes: stop.duration_minutes,
    })),
    created_at: toWire(itinerary.createdAt),
    updated_at: toWire(itinerary.updatedAt),
  };
}

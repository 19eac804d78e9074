import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Itinerary } from './itinerary.entity';

/** A stop of a plan; positions count from 1. */
export class StopResource {
  position: number;
  title: string | null;
  notes: string | null;
  location_name: string | null;
  latitude: number | null;
  longitude: number | null;
  duration_minutes: number | null;
}

/** The plan of an event (PLAN-3). */
export class ItineraryResource {
  title: string;
  description: string | null;
  is_public: boolean;
  /** the public web page; null unless is_public */
  url: string | null;
  stops: StopResource[];
  created_at: string;
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

import { statement } from '#platform/database/database';

/** A stop as the plan's row keeps it; its position is its place in the list. */
export interface Stop {
  readonly title: string | null;
  readonly notes: string | null;
  readonly location_name: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly duration_minutes: number | null;
}

export interface ItineraryRow {
  event_id: string;
  title: string;
  description: string | null;
  is_public: boolean;
  stops: Stop[];
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'event_id, title, description, is_public, stops, created_at, updated_at';

/** The plan of event $1. */
export const ITINERARY = statement('itinerary', `SELECT ${COLUMNS} FROM itineraries WHERE event_id = $1`);

/** Event, title, description, is_public, stops, now. `xmax` is zero in a row that nothing was before. */
export const PUT_ITINERARY = statement(
  'itinerary_put',
  `INSERT INTO itineraries (event_id, title, description, is_public, stops, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
   ON CONFLICT (event_id) DO UPDATE SET title = $2, description = $3, is_public = $4, stops = $5, updated_at = $6
   RETURNING ${COLUMNS}, xmax = 0 AS created`,
);

/** Answers a row when there was a plan. */
export const DELETE_ITINERARY = statement('itinerary_delete', 'DELETE FROM itineraries WHERE event_id = $1 RETURNING event_id');

import type { EventStatus } from '#contract/vocabulary';
import { statement, type Statement } from '#platform/database/database';
import { STRANGER_SEES_SQL } from '../events/event-relation';

/** The columns of an event that calendars need. */
export interface CalendarEntryRow {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly location_name: string | null;
  readonly location_address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
  readonly status: EventStatus;
  readonly updated_at: Date;
  readonly calendar_sequence: number;
}

const ENTRIES = `SELECT e.id, e.title, e.description, e.location_name, e.location_address, e.latitude, e.longitude,
    e.starts_at, e.ends_at, e.status, e.updated_at, e.calendar_sequence
  FROM events e`;

/** CAL-4: at time $2 (30 days ago), the event had neither ended nor been cancelled. */
const IS_RECENT = 'e.over_at > $2 AND (e.cancelled_at IS NULL OR e.cancelled_at > $2)';

/** The events of a calendar, ordered by start. $1 is the id in `condition`, $2 the time 30 days ago. */
function calendarStatement(name: string, condition: string): Statement {
  return statement(`calendars_${name}`, `${ENTRIES} WHERE ${condition} AND ${IS_RECENT} ORDER BY e.starts_at, e.id`);
}

/** CAL-3: public and private events that user $1 organizes or is confirmed in. Each part of the UNION uses an index. */
export const ENTRIES_OF_USER = calendarStatement(
  'of_user',
  `e.id IN (SELECT o.id FROM events o WHERE o.organizer_id = $1
            UNION ALL SELECT p.event_id FROM participations p WHERE p.user_id = $1 AND p.status = 'confirmed')`,
);

/** CAL-7: public events. */
export const PUBLIC_ENTRIES = {
  organizer: calendarStatement('of_organizer', `e.organizer_id = $1 AND ${STRANGER_SEES_SQL}`),
  group: calendarStatement('of_group', `e.group_id = $1 AND ${STRANGER_SEES_SQL}`),
  series: calendarStatement('of_series', `e.series_id = $1 AND ${STRANGER_SEES_SQL}`),
} as const;

/** One event; the calling code has checked that the person sees the event. */
export const SELECT_CALENDAR_ENTRY = statement('calendars_one', `${ENTRIES} WHERE e.id = $1`);

import type { WireFormat } from '#platform/http/wire-format';
import type { CalendarEntryRow } from './calendar-entries.query';

/** The calendar entry of an event, the same in every calendar. It contains no data of people, and no ticket or check-in codes. */
export interface CalendarEntry {
  readonly uid: string;
  /** Increases with every change of time, place or status. */
  readonly sequence: number;
  readonly title: string;
  /** Sanitized HTML. */
  readonly description: string | null;
  readonly place: string;
  readonly position: { readonly latitude: number; readonly longitude: number } | null;
  readonly url: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly changedAt: Date;
  readonly cancelled: boolean;
}

export function calendarEntry(row: CalendarEntryRow, wire: WireFormat): CalendarEntry {
  const { latitude, longitude } = row;
  const id = wire.id('event', row.id);
  const url = wire.page(`/events/${id}`);
  return {
    uid: `${id}@${new URL(url).hostname}`,
    sequence: row.calendar_sequence,
    title: row.title,
    description: row.description,
    place: [row.location_name, row.location_address].filter(Boolean).join(', '),
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    url,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    changedAt: row.updated_at,
    cancelled: row.status === 'cancelled',
  };
}

import type { EventResource } from '#areas/events/event.resource';
import { whereOf } from '../public/event-facts';
import { excerptOf } from '../public/excerpt';

/** The ways to subscribe to a calendar. */
export interface CalendarLinks {
  /** The address of the `.ics` file. */
  readonly file: string;
  /** The address that opens the reader's calendar program. */
  readonly webcal: string;
  readonly google: string;
}

const GOOGLE = 'https://calendar.google.com/calendar/render';

/** `file`: the full address of an `.ics` file that is always up to date. */
export function calendarLinks(file: string): CalendarLinks {
  const webcal = file.replace(/^https?:/, 'webcal:');
  return { file, webcal, google: `${GOOGLE}?${new URLSearchParams({ cid: webcal }).toString()}` };
}

/**
 * The address that opens Google Calendar with the data of the event. Google Calendar requires an end. An event without
 * an end gets its start as the end; programs read an entry without `DTEND` in the same way (CAL-6).
 */
export function googleEntry(event: EventResource): string {
  const { title, starts_at, ends_at, url } = event;
  const start = new Date(starts_at);
  const end = ends_at === null ? start : new Date(ends_at);
  const location = whereOf(event);
  const values = {
    action: 'TEMPLATE',
    text: excerptOf(title),
    dates: `${compact(start)}/${compact(end)}`,
    details: url,
    ...(location && { location }),
  };
  return `${GOOGLE}?${new URLSearchParams(values).toString()}`;
}

/** Writes an instant in the form `20261120T180000Z`. */
function compact(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

import { sync, type VEvent } from 'node-ical';

/** A calendar, as an independent parser has read it. */
export interface ReadCalendar {
  readonly name: string | undefined;
  readonly events: readonly VEvent[];
}

/** Parses a calendar with node-ical, which shares no code with the library that writes calendars. */
export function readCalendar(text: string): ReadCalendar {
  const components = Object.values(sync.parseICS(text));
  const calendar = components.find((one) => one?.type === 'VCALENDAR') as { 'WR-CALNAME'?: string } | undefined;
  return { name: calendar?.['WR-CALNAME'], events: components.filter((one): one is VEvent => one?.type === 'VEVENT') };
}

/** The calendar entry whose `url` is this address. */
export function entryOf({ events }: ReadCalendar, url: string): VEvent | undefined {
  return events.find((one) => String(one.url) === url);
}

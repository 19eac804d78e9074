import { withoutControls } from '#platform/text/characters';

/** What a calendar entry is made of. */
export interface CalendarEvent {
  readonly uid: string;
  readonly title: string;
  /** Plain text. */
  readonly description: string;
  readonly place: string;
  readonly position: { readonly latitude: number; readonly longitude: number } | null;
  readonly url: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly updatedAt: Date;
  readonly cancelled: boolean;
}

/** One event as an iCalendar file (RFC 5545). */
export function calendarOf(event: CalendarEvent): string {
  const { position } = event;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//events//events//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${instant(event.updatedAt)}`,
    `DTSTART:${instant(event.startsAt)}`,
    ...(event.endsAt ? [`DTEND:${instant(event.endsAt)}`] : []),
    `SUMMARY:${text(event.title)}`,
    ...(event.description ? [`DESCRIPTION:${text(event.description)}`] : []),
    ...(event.place ? [`LOCATION:${text(event.place)}`] : []),
    ...(position ? [`GEO:${position.latitude};${position.longitude}`] : []),
    `URL:${event.url}`,
    `STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** `20261120T180000Z` */
function instant(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** RFC 5545, 3.3.11: no control characters but tab, and line ends written out. */
function text(value: string): string {
  return withoutControls(value).replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
}

const LINE_BYTES = 75;

/** Lines have at most 75 bytes; what follows begins with a space. No character is cut in two. */
function folded(line: string): string {
  let bytes = 0;
  let out = '';
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      out += '\r\n ';
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return out;
}

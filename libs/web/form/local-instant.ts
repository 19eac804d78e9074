import { dateFormat } from '#platform/time/date-format';
import { instantOfLocalTime } from '#platform/time/local-time';

/** The format of fields of the type `datetime-local`: local time without a zone. */
const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?$/;

/** Formats an instant as `2026-11-20T19:00` in the zone, with seconds if they are not zero. */
export function localText(instant: Date, zone: string): string {
  const wall = new Date(wallClock(instant.getTime(), zone)).toISOString();
  return wall.slice(0, wall.slice(17, 19) === '00' ? 16 : 19);
}

/** Converts a local time in the zone to an instant (WIRE-8). Returns null for a text that is not a local time. */
export function localInstant(text: string, zone: string): Date | null {
  const match = LOCAL_TIME.exec(text.trim());
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((digits = '0') => Number(digits));
  const wall = new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const isReal = new Date(wall).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}`);
  if (!isReal || second > 59) return null;
  return new Date(instantOfLocalTime(wall, (instant) => wallClock(instant, zone) - instant));
}

/**
 * The local time in the zone, as the milliseconds of the `Date` whose UTC fields show this local time. Fractions of a
 * second are omitted.
 */
function wallClock(instant: number, zone: string): number {
  const format = dateFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? 0);
  // In ISO 8601 the year 1 BC has the number 0000.
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  return (
    new Date(0).setUTCFullYear(year, part('month') - 1, part('day')) +
    ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
  );
}

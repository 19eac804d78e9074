import { addDays } from '#platform/time/prague';
import { localDayHeading, localDayKey, type TimePreferences } from './local-time';
import { translator } from './texts';

/**
 * The heading of a day in a list: "Today, Saturday 28 November". The words "Yesterday" and "Tomorrow" are used in the
 * same way; any other day begins with its weekday.
 */
export function dayHeading(reader: TimePreferences, instant: Date, now: Date): string {
  const say = translator(reader.locale);
  const today = localDayKey(reader, now);
  const day = localDayKey(reader, instant);
  const name = localDayHeading(reader, instant, now);
  if (day === today) return `${say('day_today')}, ${name}`;
  if (day === addDays(today, 1)) return `${say('day_tomorrow')}, ${name}`;
  if (day === addDays(today, -1)) return `${say('day_yesterday')}, ${name}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

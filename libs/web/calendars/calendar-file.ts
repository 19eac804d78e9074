import { lazily } from '#platform/loading/lazily';
import { CachedFile, type Audience } from '../cached-file';
import type { CalendarDocument } from './icalendar';

const icalendar = lazily<typeof import('./icalendar')>(__filename, './icalendar');

/** The calendar as an iCalendar file. */
export function calendarFile(calendar: CalendarDocument, audience: Audience): CachedFile {
  return new CachedFile('text/calendar; charset=utf-8', icalendar().icalendarOf(calendar), audience);
}

import { CachedFile, type Audience } from '../cached-file';
import { icalendarOf, type CalendarDocument } from './icalendar';

/** The calendar as an iCalendar file. */
export function calendarFile(calendar: CalendarDocument, audience: Audience): CachedFile {
  return new CachedFile('text/calendar; charset=utf-8', icalendarOf(calendar), audience);
}

import ICAL from 'ical.js';
import { isTimeZone } from '#platform/time/time-zone';
import { localInstant } from '../form/local-instant';
import { placeOf, positionOf, type EventDraft } from './event-draft';

/**
 * Maximum number of dates of a recurrence that are checked. There is a limit because a rule can repeat every second.
 */
const MAX_STEPS = 20_000;
/** Every time zone differs from UTC by less than a day. */
const DAY_MS = 24 * 3_600_000;

/**
 * Reads the events of an iCalendar file (RFC 5545). Events without a title are omitted. A change of a single date
 * (`RECURRENCE-ID`) has a draft of its own only if the file does not contain the recurring event. Times without a known
 * zone are read in `zone`. The draft of a recurring event has the next date of the event, see `nextDraftOf`.
 * @returns null for a text that is not a calendar
 */
export function calendarDrafts(text: string, zone: string, now: Date): EventDraft[] | null {
  const calendars = calendarsIn(text.replace(/^\uFEFF/, ''));
  if (calendars.length === 0) return null;
  const all = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
  const events = all.filter((event) => !event.hasProperty('recurrence-id'));
  const changesByUid = new Map(events.map((event) => [uidOf(event), [] as ICAL.Component[]]));
  // The file of an invitation to a single date contains only this date, and not the recurring event.
  const alone: ICAL.Component[] = [];
  for (const event of all)
    if (event.hasProperty('recurrence-id')) (changesByUid.get(uidOf(event)) ?? alone).push(event);
  return [...events, ...alone]
    .map((event) => nextDraftOf(event, changesByUid.get(uidOf(event)) ?? [], zone, now))
    .filter((draft) => draft !== null);
}

function uidOf(event: ICAL.Component): string | null {
  return textOf(event, 'uid');
}

/** A file may contain several calendars one after another (RFC 5545, 3.4). */
function calendarsIn(text: string): ICAL.Component[] {
  try {
    const data = ICAL.parse(text) as unknown[];
    const roots = (Array.isArray(data[0]) ? data : [data]) as unknown[][];
    return roots.map((root) => new ICAL.Component(root)).filter(({ name }) => name === 'vcalendar');
  } catch {
    return [];
  }
}

/**
 * Returns the draft of an event. `changes` are the components that change or cancel single dates of the event; the
 * `RECURRENCE-ID` of a change is the date that it replaces. If a changed date is the next date of the event, the draft
 * is made from this change.
 */
function nextDraftOf(
  event: ICAL.Component,
  changes: readonly ICAL.Component[],
  zone: string,
  now: Date,
): EventDraft | null {
  const replaced = new Set(changes.map((change) => replacedDateOf(change, zone)));
  const moved = changes
    .filter((change) => change.getFirstPropertyValue('status') !== 'CANCELLED')
    .map((change) => draftOf(change, new Set(), zone, now));
  const draft = draftOf(event, replaced, zone, now);
  return [draft, ...moved].reduce((best, other) => (isNextOf(other, best, now) ? other : best), draft);
}

/** Whether `draft` has not started yet, and `other` starts later, has already started or has no start. */
function isNextOf(draft: EventDraft | null, other: EventDraft | null, now: Date): boolean {
  const [start, otherStart] = [draft?.startsAt, other?.startsAt];
  return Boolean(start && start >= now && (!otherStart || otherStart < now || start < otherStart));
}

/** The instant of the date that `change` replaces, in milliseconds; null if this date is unreadable. */
function replacedDateOf(change: ICAL.Component, zone: string): number | null {
  try {
    const property = change.getFirstProperty('recurrence-id');
    const date = property?.getFirstValue();
    return date instanceof ICAL.Time ? (instantOf(property, date, zone)?.getTime() ?? null) : null;
  } catch {
    return null;
  }
}

type Instants = ReadonlySet<number | null>;

function draftOf(component: ICAL.Component, replaced: Instants, zone: string, now: Date): EventDraft | null {
  const title = textOf(component, 'summary');
  if (title === null) return null;
  return {
    title,
    description: textOf(component, 'description'),
    ...timesOf(component, replaced, zone, now),
    ...placeOf(textOf(component, 'location')),
    ...geoOf(component),
    priceCzk: null,
  };
}

function textOf(component: ICAL.Component, name: string): string | null {
  const value = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

type Times = Pick<EventDraft, 'startsAt' | 'endsAt' | 'isAllDay'>;

function timesOf(component: ICAL.Component, replaced: Instants, zone: string, now: Date): Times {
  try {
    const start = isRealTime(component) ? component.getFirstPropertyValue('dtstart') : null;
    const from = start instanceof ICAL.Time ? nextOf(component, start, replaced, now, zone) : null;
    const startsAt = from && instantOf(propertyOf(component, from), from, zone);
    if (!from || !startsAt) return { startsAt: null, endsAt: null, isAllDay: false };
    // In the file, the end of an all-day event is a midnight, by a convention of the format. The draft therefore has no
    // end (IMP-4).
    const seconds = from.isDate ? 0 : secondsOf(component, zone);
    const endsAt = seconds > 0 ? new Date(startsAt.getTime() + seconds * 1000) : null;
    return { startsAt, endsAt, isAllDay: from.isDate };
  } catch {
    return { startsAt: null, endsAt: null, isAllDay: false };
  }
}

/**
 * Returns false if `DTSTART` is missing, or if its day or time does not exist, such as 30 February. The library would
 * change 30 February to a day of March.
 */
function isRealTime(component: ICAL.Component): boolean {
  const [, , , written] = (component.getFirstProperty('dtstart')?.toJSON() ?? []) as unknown[];
  if (typeof written !== 'string') return false;
  const local = written.includes('T') ? written.replace(/Z$/, '') : `${written}T00:00`;
  return localInstant(local, 'UTC') !== null;
}

/**
 * Returns the first date of the recurrence that is not before `now` and is not `replaced`. Returns `start` if the event
 * does not recur, if it has no such date, or if none is found within `MAX_STEPS` steps.
 */
function nextOf(component: ICAL.Component, start: ICAL.Time, replaced: Instants, now: Date, zone: string): ICAL.Time {
  if (!component.hasProperty('rrule') && !component.hasProperty('rdate')) return start;
  if (hasEnded(component, now)) return start;
  // Without a rule, the library does not return the start as one of the dates.
  const first = component.hasProperty('rrule') ? null : instantOf(propertyOf(component, start), start, zone);
  if (first && first >= now && !replaced.has(first.getTime())) return start;
  const dates = new ICAL.Event(component, { exceptions: [] }).iterator();
  for (let step = 0; step < MAX_STEPS; step++) {
    const date = dates.next() as ICAL.Time | undefined;
    if (!date) return start;
    if (utcOf(date) < now.getTime() - DAY_MS) continue;
    const instant = instantOf(propertyOf(component, date), date, zone);
    if (instant && instant >= now && !replaced.has(instant.getTime())) return date;
  }
  return start;
}

/**
 * Whether the event has no separate dates (`RDATE`), and every recurrence rule has an end (`UNTIL`) more than two days
 * before `now`. If so, the dates are not checked, because there can be thousands of them.
 */
function hasEnded(component: ICAL.Component, now: Date): boolean {
  const rules = component.getAllProperties('rrule').map((rule) => rule.getFirstValue());
  return (
    !component.hasProperty('rdate') &&
    rules.every((rule) => rule instanceof ICAL.Recur && rule.until && utcOf(rule.until) < now.getTime() - 2 * DAY_MS)
  );
}

/** The local time in milliseconds, as if its zone were UTC. */
function utcOf({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The length of the event in seconds, from its duration or its end; 0 if it has no readable duration or end. */
function secondsOf(component: ICAL.Component, zone: string): number {
  const duration = component.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return duration.toSeconds();
  const [start, end] = ['dtstart', 'dtend'].map((name) => {
    const property = component.getFirstProperty(name);
    const time = property?.getFirstValue();
    return time instanceof ICAL.Time ? instantOf(property, time, zone) : null;
  });
  return start && end ? (end.getTime() - start.getTime()) / 1000 : 0;
}

/** Returns the property with the zone of `date`: the `RDATE` that contains `date` and has a zone, or else `DTSTART`. */
function propertyOf(component: ICAL.Component, date: ICAL.Time): ICAL.Property | null {
  const separate = component
    .getAllProperties('rdate')
    .find((property) => property.getFirstParameter('tzid') && property.getValues().includes(date));
  return separate ?? component.getFirstProperty('dtstart');
}

/**
 * Converts a time of the file to an instant. The zone of the time is UTC, a zone of the IANA database, or a zone that
 * the file defines. If the time has none of these zones, or is a day in a zone that the file defines, its zone is
 * `zone`. Returns null for a day or time that does not exist; in a zone that the file defines, this is not checked.
 */
function instantOf(property: ICAL.Property | null, time: ICAL.Time, zone: string): Date | null {
  const local = `${time.toString().slice(0, 10)}T${[time.hour, time.minute, time.second].map(twoDigits).join(':')}`;
  if (time.zone === ICAL.Timezone.utcTimezone) return localInstant(local, 'UTC');
  const tzid = property?.getFirstParameter('tzid');
  if (tzid && isTimeZone(tzid)) return localInstant(local, tzid);
  const definedZone = tzid ? (property?.parent?.parent as ICAL.Component | null)?.getTimeZoneByID(tzid) : null;
  if (!definedZone || time.isDate) return localInstant(local, zone);
  const zoned = time.clone();
  zoned.zone = definedZone;
  return zoned.toJSDate();
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

function geoOf(component: ICAL.Component): Pick<EventDraft, 'latitude' | 'longitude'> {
  const geo = component.getFirstPropertyValue('geo');
  const [latitude, longitude] = Array.isArray(geo)
    ? geo.map(Number)
    : String(geo ?? '')
        .split(';')
        .map(Number);
  return positionOf(latitude ?? Number.NaN, longitude ?? Number.NaN);
}

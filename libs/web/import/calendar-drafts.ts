import ICAL from 'ical.js';
import { isTimeZone } from '#platform/time/time-zone';
import { localInstant, localText } from '../form/local-instant';
import { placeOf, positionOf, type EventDraft } from './event-draft';
import { WINDOWS_ZONES } from './windows-zones';

/**
 * Maximum number of dates of a recurrence that are checked. There is a limit because a rule can repeat every second.
 */
const MAX_STEPS = 20_000;
/** Every time zone differs from UTC by less than a day. */
const DAY_MS = 24 * 3_600_000;

/**
 * Reads the events of an iCalendar file (RFC 5545). An event without a title has a draft with an empty title. A change
 * of a single date (`RECURRENCE-ID`) has a draft of its own only if the file does not contain the recurring event.
 * Times without a known zone are read in `zone`. The draft of a recurring event has the next date of the event, see
 * `nextDraftOf`.
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
    .filter((event) => !isCancelled(event))
    .map((event) => nextDraftOf(event, changesByUid.get(uidOf(event)) ?? [], zone, now))
    .filter((draft) => draft !== null);
}

function isCancelled(event: ICAL.Component): boolean {
  return event.getFirstPropertyValue('status') === 'CANCELLED';
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
 * `RECURRENCE-ID` of a change is the date that the change replaces. If a changed date is the next date of the event,
 * the draft is made from this change. Returns null if all dates are cancelled or excluded.
 */
function nextDraftOf(
  event: ICAL.Component,
  changes: readonly ICAL.Component[],
  zone: string,
  now: Date,
): EventDraft | null {
  const replaced = changes.flatMap((change) => replacedDates(change, zone));
  const omitted = new Set([...replaced, ...excludedDates(event, zone)]);
  // The library fails after 500 excluded dates in a row.
  event.removeAllProperties('exdate');
  const changedDrafts = changes
    .filter((change) => !isCancelled(change))
    .map((change) => draftOf(change, new Set(), zone, now, event));
  const drafts = [draftOf(event, omitted, zone, now), ...changedDrafts].filter((draft) => draft !== null);
  return drafts.reduce<EventDraft | null>((best, other) => (isBefore(other, best, now) ? other : best), null);
}

/**
 * Whether the draft comes before `other` (true if there is no `other`). An upcoming draft comes before a draft that has
 * started or has no start. Of two upcoming drafts, or of two drafts that have started, the draft with the earlier start
 * comes first.
 */
function isBefore({ startsAt: start }: EventDraft, other: EventDraft | null, now: Date): boolean {
  if (!other) return true;
  const otherStart = other.startsAt;
  if (!start || !otherStart) return start !== null && start >= now;
  const isUpcoming = start >= now;
  return isUpcoming === otherStart >= now ? start < otherStart : isUpcoming;
}

/** The instants of the dates that the change replaces, in milliseconds. */
function replacedDates(change: ICAL.Component, zone: string): number[] {
  return readDates(change, 'recurrence-id', (date, property) => instantOf(property, date, zone)?.getTime() ?? []);
}

/**
 * The excluded dates (`EXDATE`): instants in milliseconds, or local days if the date has no time or the event is an
 * all-day event. An excluded date without a zone has the zone of the start.
 */
function excludedDates(event: ICAL.Component, zone: string): (number | string)[] {
  const start = event.getFirstProperty('dtstart');
  return readDates<number | string>(event, 'exdate', (date, property) => {
    const startValue = start?.getFirstValue();
    if (date.isDate || (startValue instanceof ICAL.Time && startValue.isDate)) return dayOf(date);
    return instantOf(property.getFirstParameter('tzid') ? property : start, date, zone)?.getTime() ?? [];
  });
}

function readDates<T>(
  component: ICAL.Component,
  name: string,
  read: (date: ICAL.Time, property: ICAL.Property) => T | [],
): T[] {
  return component.getAllProperties(name).flatMap((property) => {
    try {
      const dates = property.getValues().filter((date) => date instanceof ICAL.Time);
      return dates.flatMap<T>((date) => read(date, property));
    } catch {
      return [];
    }
  });
}

/** The local day as `2030-06-04`. */
function dayOf(time: ICAL.Time): string {
  return time.toString().slice(0, 10);
}

/** Instants in milliseconds, and whole local days. */
type Dates = ReadonlySet<number | string>;

/** Returns null if all dates are `omitted`. If the component has no title, the draft has the title of `event`. */
function draftOf(
  component: ICAL.Component,
  omitted: Dates,
  zone: string,
  now: Date,
  event = component,
): EventDraft | null {
  const title = textOf(component, 'summary') ?? textOf(event, 'summary') ?? '';
  const times = timesOf(component, omitted, zone, now);
  if (times === null) return null;
  return {
    title,
    description: textOf(component, 'description'),
    ...times,
    ...placeOf(textOf(component, 'location')),
    ...geoOf(component),
    priceCzk: null,
  };
}

function textOf(component: ICAL.Component, name: string): string | null {
  const value = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

type Times = Pick<EventDraft, 'startsAt' | 'endsAt' | 'isAllDay' | 'isZoneUnknown'>;

const NO_TIMES: Times = { startsAt: null, endsAt: null, isAllDay: false, isZoneUnknown: false };

/** Returns null if all dates are `omitted`. */
function timesOf(component: ICAL.Component, omitted: Dates, zone: string, now: Date): Times | null {
  try {
    const start = isRealTime(component) ? component.getFirstPropertyValue('dtstart') : null;
    if (!(start instanceof ICAL.Time)) return NO_TIMES;
    const propertyOf = zonePropertyFinder(component);
    const timeOf = (date: ICAL.Time): number => instantOf(propertyOf(date), date, zone)?.getTime() ?? NaN;
    writeLocalEnds(component, start, zone);
    const next = nextOf(component, start, omitted, now, timeOf);
    if (!next) return null;
    const property = propertyOf(next);
    const startsAt = instantOf(property, next, zone);
    if (!startsAt) return NO_TIMES;
    // By a convention of the format, the end of an all-day event is a midnight. This is not the real end, so the draft
    // has no end (IMP-4).
    const seconds = next.isDate ? 0 : secondsOf(component, zone);
    const endsAt = seconds > 0 ? new Date(startsAt.getTime() + seconds * 1000) : null;
    const isZoneUnknown = !next.isDate && [property, component.getFirstProperty('dtend')].some(hasUnknownZone);
    return { startsAt, endsAt, isAllDay: next.isDate, isZoneUnknown };
  } catch {
    return NO_TIMES;
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
 * Returns the first date that is not before `now` and is not `omitted`. If the event has no such date, or if none is
 * found within `MAX_STEPS` steps, returns the first date that is not `omitted`; null if all dates are `omitted`.
 */
function nextOf(
  component: ICAL.Component,
  start: ICAL.Time,
  omitted: Dates,
  now: Date,
  timeOf: (date: ICAL.Time) => number,
): ICAL.Time | null {
  let first = omitted.has(timeOf(start)) || omitted.has(dayOf(start)) ? null : start;
  const hasRule = component.hasProperty('rrule');
  if (!hasRule && !component.hasProperty('rdate')) return first;
  if (first && hasEnded(component, now)) return first;
  // Without a rule, the library does not return the start as one of the dates.
  if (first && !hasRule && timeOf(first) >= now.getTime()) return first;
  writeLeapDay(component, start);
  const isMovedDay = movedDayTest(component, start);
  const dates = new ICAL.Event(component, { exceptions: [] }).iterator();
  for (let step = 0; step < MAX_STEPS; step++) {
    const date = dates.next() as ICAL.Time | undefined;
    if (!date) break;
    if (first && utcOf(date) < now.getTime() - DAY_MS) continue;
    if (isMovedDay(date)) continue;
    const time = timeOf(date);
    if (omitted.has(time) || omitted.has(dayOf(date))) continue;
    if (time >= now.getTime()) return date;
    first ??= date;
  }
  return first;
}

/**
 * Whether the event has no separate dates (`RDATE`), and every recurrence rule has an end (`UNTIL`) more than two days
 * before `now`. If so, the dates are not checked, because there can be thousands of them.
 */
function hasEnded(component: ICAL.Component, now: Date): boolean {
  return (
    !component.hasProperty('rdate') &&
    rulesOf(component).every((rule) => rule?.until && utcOf(rule.until) < now.getTime() - 2 * DAY_MS)
  );
}

/** The recurrence rules of the event; null for a rule that cannot be read. */
function rulesOf(component: ICAL.Component): (ICAL.Recur | null)[] {
  return component
    .getAllProperties('rrule')
    .map((property) => property.getFirstValue())
    .map((rule) => (rule instanceof ICAL.Recur ? rule : null));
}

/**
 * If the event begins on 29 February, writes the day and month into yearly rules that contain no day. Without this
 * function, the library would return 1 March in years without 29 February; RFC 5545 skips these years.
 */
function writeLeapDay(component: ICAL.Component, { month, day }: ICAL.Time): void {
  if (month !== 2 || day !== 29) return;
  for (const rule of rulesOf(component)) {
    if (rule?.freq !== 'YEARLY') continue;
    const { parts } = rule;
    if (['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO'].some((part) => part in parts)) continue;
    parts.BYMONTH ??= [month];
    if (parts.BYMONTH.length === 1) parts.BYMONTHDAY = [day];
  }
}

/**
 * Converts the end (`UNTIL`) of each rule from UTC to local time in the zone of the start, if the file does not define
 * this zone. Without the conversion, the library would compare local dates with an end in UTC.
 */
function writeLocalEnds(component: ICAL.Component, start: ICAL.Time, zone: string): void {
  const startZone = zoneOf(component.getFirstProperty('dtstart')) ?? zone;
  if (start.isDate || start.zone === ICAL.Timezone.utcTimezone || typeof startZone !== 'string') return;
  for (const rule of rulesOf(component)) {
    if (rule?.until?.zone !== ICAL.Timezone.utcTimezone) continue;
    const local = new Date(`${localText(rule.until.toJSDate(), startZone)}Z`);
    rule.until = ICAL.Time.fromJSDate(local, true);
    rule.until.zone = start.zone;
  }
}

/**
 * Returns a function that recognizes the dates that the library has moved. In a yearly rule with months (`BYMONTH`),
 * the library moves a date whose day does not exist in the month: 31 June becomes 1 July. RFC 5545 skips such dates.
 * The library counts them as dates of the rule, so a rule with `COUNT` ends too early. Events with several rules or
 * with separate dates (`RDATE`) are not checked.
 */
function movedDayTest(component: ICAL.Component, start: ICAL.Time): (date: ICAL.Time) => boolean {
  const [rule, ...otherRules] = rulesOf(component);
  const {
    BYMONTH: months,
    BYMONTHDAY: days = [start.day],
    ...others
  } = (rule?.parts ?? {}) as Record<string, number[]>;
  if (rule?.freq !== 'YEARLY' || !months || otherRules.length > 0 || component.hasProperty('rdate')) return () => false;
  const hasOnlyMonthDays =
    !['BYDAY', 'BYYEARDAY', 'BYWEEKNO'].some((part) => part in others) && days.every((one) => one > 0);
  return ({ month, day }) => !months.includes(month) || (hasOnlyMonthDays && !days.includes(day));
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

/**
 * Returns a function that finds the property whose zone applies to a date: the `RDATE` that contains the date and has a
 * zone, or else `DTSTART`.
 */
function zonePropertyFinder(component: ICAL.Component): (date: ICAL.Time) => ICAL.Property | null {
  const zoned = component.getAllProperties('rdate').filter((property) => property.getFirstParameter('tzid'));
  const separate = new Map(zoned.flatMap((property) => property.getValues().map((date) => [date, property] as const)));
  const start = component.getFirstProperty('dtstart');
  return (date) => separate.get(date) ?? start;
}

/**
 * Converts a time of the file to an instant. The zone of the time is UTC or the zone that `zoneOf` returns. A time
 * without such a zone is read in `zone`. A day without a time is read in `zone` even if the file defines the zone that
 * the day names. Returns null for a day or time that does not exist. Times in a zone that the file defines are not
 * checked.
 */
function instantOf(property: ICAL.Property | null, time: ICAL.Time, zone: string): Date | null {
  const local = `${dayOf(time)}T${[time.hour, time.minute, time.second].map(twoDigits).join(':')}`;
  if (time.zone === ICAL.Timezone.utcTimezone) return localInstant(local, 'UTC');
  const timeZone = zoneOf(property) ?? zone;
  if (typeof timeZone === 'string') return localInstant(local, timeZone);
  if (time.isDate) return localInstant(local, zone);
  const zoned = time.clone();
  zoned.zone = timeZone;
  return zoned.toJSDate();
}

/**
 * The zone that `TZID` names: a zone of the IANA database, a zone that the file defines, or a zone of Windows. Returns
 * null for another name, or without a name.
 */
function zoneOf(property: ICAL.Property | null): string | ICAL.Timezone | null {
  const tzid = property?.getFirstParameter('tzid');
  if (!tzid) return null;
  if (isTimeZone(tzid)) return tzid;
  const calendar = property?.parent?.parent as ICAL.Component | null;
  return calendar?.getTimeZoneByID(tzid) ?? WINDOWS_ZONES.get(tzid) ?? null;
}

function hasUnknownZone(property: ICAL.Property | null): boolean {
  return Boolean(property?.getFirstParameter('tzid')) && zoneOf(property) === null;
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

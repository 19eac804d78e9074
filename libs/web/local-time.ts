import type { Locale } from '#contract/vocabulary';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { dateFormat } from '#platform/time/date-format';
import { NO_BREAK_SPACE, withoutBadBreaks, WORD_JOINER } from './line-breaks';

/** The language and time zone of a reader. */
export interface TimePreferences {
  readonly locale: Locale;
  readonly timezone: string;
}

/** Czech writes 9:05, English 09:05. */
const HOUR = { cs: 'numeric', en: '2-digit' } as const satisfies Record<Locale, string>;

/**
 * Formats a start, or a start and an end, with the name of the time zone at the end (or two names, if the clocks change
 * between start and end). The text does not allow a line break before the name of a zone, or within a range of times on
 * one day.
 */
export function localTimes({ locale, timezone }: TimePreferences, startsAt: Date, endsAt: Date | null): string {
  const format = dateFormat(LANGUAGE_TAGS[locale], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: HOUR[locale],
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  });
  const textOf = (parts: readonly Intl.DateTimeFormatPart[]): string =>
    withoutBadBreaks(
      parts.map(({ value }, i) => (parts[i + 1]?.type === 'timeZoneName' ? NO_BREAK_SPACE : value)).join(''),
      locale,
    );
  if (!endsAt) return textOf(format.formatToParts(startsAt));
  const parts = format.formatRangeToParts(startsAt, endsAt);
  const zoneAt = (find: 'findIndex' | 'findLastIndex') => parts[find](({ type }) => type === 'timeZoneName');
  const [first, last] = [zoneAt('findIndex'), zoneAt('findLastIndex')];
  // A range within one day contains only the zone of its end. A range over several days contains two zones; they differ
  // if the clocks are changed between the start and the end. If both are equal, the first one is left out, with the
  // space before it.
  const isRepeated = first !== last && parts[first]?.value === parts[last]?.value;
  if (first !== last) return textOf(isRepeated ? parts.toSpliced(first - 1, 2) : parts);
  const unbroken = parts.map((part) =>
    part.value.trim() === '–' ? { ...part, value: part.value.replace(/\s/g, NO_BREAK_SPACE) + WORD_JOINER } : part,
  );
  return textOf(unbroken);
}

/** The date and the time of day. */
export function localTime({ locale, timezone }: TimePreferences, instant: Date): string {
  return dateFormat(LANGUAGE_TAGS[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(instant);
}

/**
 * Formats a deadline as a date and a time, for use within a sentence. The weekday is omitted, because its Czech form
 * depends on the sentence.
 */
export function localDeadline({ locale, timezone }: TimePreferences, instant: Date): string {
  const text = dateFormat(LANGUAGE_TAGS[locale], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(instant);
  return withoutBadBreaks(text, locale);
}

export function localDay({ locale, timezone }: TimePreferences, instant: Date): string {
  return dateFormat(LANGUAGE_TAGS[locale], { dateStyle: 'long', timeZone: timezone }).format(instant);
}

/** A day in a list. The year is shown only if it differs from the year of `now`. */
export function localListDay(reader: TimePreferences, instant: Date, now: Date): string {
  const { locale, timezone } = reader;
  return dateFormat(LANGUAGE_TAGS[locale], {
    day: 'numeric',
    month: 'long',
    ...yearOf(reader, instant, now),
    timeZone: timezone,
  }).format(instant);
}

/** The day and the month in digits, for the axis of a chart. */
export function localShortDay({ locale, timezone }: TimePreferences, instant: Date): string {
  return dateFormat(LANGUAGE_TAGS[locale], {
    day: 'numeric',
    month: 'numeric',
    timeZone: timezone,
  }).format(instant);
}

/** The day and the month in digits, and the time of day. */
export function localShortTime({ locale, timezone }: TimePreferences, instant: Date): string {
  return dateFormat(LANGUAGE_TAGS[locale], {
    day: 'numeric',
    month: 'numeric',
    hour: HOUR[locale],
    minute: '2-digit',
    timeZone: timezone,
  }).format(instant);
}

/** The month and the day of a date tile: "Dec" and "10". */
export function dateTile({ locale, timezone }: TimePreferences, instant: Date): { month: string; day: string } {
  const format = (part: Intl.DateTimeFormatOptions) =>
    dateFormat(LANGUAGE_TAGS[locale], { ...part, timeZone: timezone }).format(instant);
  return { month: format({ month: 'short' }), day: format({ day: 'numeric' }).replace(/\D/g, '') };
}

/**
 * The short form of a start, for lists: weekday, date and time. The year is shown only if it differs from the year of
 * `now`.
 */
export function localStart(reader: TimePreferences, startsAt: Date, now: Date): string {
  const { locale, timezone } = reader;
  return dateFormat(LANGUAGE_TAGS[locale], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...yearOf(reader, startsAt, now),
    hour: HOUR[locale],
    minute: '2-digit',
    timeZone: timezone,
  }).format(startsAt);
}

/** The time of day only, for lists under the heading of a day. */
export function localClock({ locale, timezone }: TimePreferences, instant: Date): string {
  return dateFormat(LANGUAGE_TAGS[locale], {
    hour: HOUR[locale],
    minute: '2-digit',
    timeZone: timezone,
  }).format(instant);
}

/** The reader's calendar day, for comparisons: `2026-11-25`. */
export function localDayKey({ timezone }: TimePreferences, instant: Date): string {
  return dateFormat('sv-SE', { dateStyle: 'short', timeZone: timezone }).format(instant);
}

/** A day as a heading: "Saturday 28 November". The year is shown only if it differs from the year of `now`. */
export function localDayHeading(reader: TimePreferences, instant: Date, now: Date): string {
  const { locale, timezone } = reader;
  return dateFormat(LANGUAGE_TAGS[locale], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...yearOf(reader, instant, now),
    timeZone: timezone,
  }).format(instant);
}

/** The option of the date format that shows the year; empty if `instant` and `now` are in the same year. */
function yearOf({ timezone }: TimePreferences, instant: Date, now: Date): Intl.DateTimeFormatOptions {
  const format = dateFormat('en', { year: 'numeric', timeZone: timezone });
  return format.format(instant) === format.format(now) ? {} : { year: 'numeric' };
}

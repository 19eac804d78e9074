import type { EventResource } from '#areas/events/event.resource';
import { addDays, pragueDay, type CalendarDay } from '#platform/time/prague';
import { dayHeading } from '../day-heading';
import { localClock } from '../local-time';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { withoutChip, type Tile } from './tile';

/** A section of the list: the events of a day under the name of the day, or the boosted events. */
export interface AgendaSection {
  readonly heading: string;
  readonly isFeatured: boolean;
  /** Whether the section fills a whole row on a wide screen. Otherwise two sections are in one row. */
  readonly fillsRow: boolean;
  readonly tiles: readonly Tile[];
}

/**
 * Groups a list of events and their tiles by the day of the start, in the list's order. Boosted events come first in
 * the list and have their own heading, so their tiles have no chip (label) with the text `boosted` ("featured"). Under
 * the name of a day, a tile shows only the time of the start.
 */
export function agendaOf(
  events: readonly EventResource[],
  tiles: readonly Tile[],
  reader: Reader,
  now: Date,
): AgendaSection[] {
  const say = translator(reader.locale);
  const headingOf = (event: EventResource): string =>
    event.is_boosted ? say('day_boosted') : dayHeading(reader, new Date(event.starts_at), now);
  const sections: { heading: string; isFeatured: boolean; tiles: Tile[] }[] = [];
  events.forEach((event, index) => {
    const [tile, heading] = [tiles[index], headingOf(event)];
    if (!tile) return;
    if (sections.at(-1)?.heading !== heading) sections.push({ heading, isFeatured: event.is_boosted, tiles: [] });
    const shown = event.is_boosted
      ? withoutChip(tile, say('boosted'))
      : { ...tile, when: localClock(reader, new Date(event.starts_at)) };
    sections.at(-1)?.tiles.push(shown);
  });
  return inRows(sections);
}

/** Two successive days with one event each share a row. Each other section fills a row. */
function inRows(sections: readonly Omit<AgendaSection, 'fillsRow'>[]): AgendaSection[] {
  const needsHalf = (section?: Omit<AgendaSection, 'fillsRow'>) => section?.tiles.length === 1 && !section.isFeatured;
  let isSecond = false;
  return sections.map((section, index) => {
    const isFirst = !isSecond && needsHalf(section) && needsHalf(sections[index + 1]);
    const fillsRow = !isFirst && !isSecond;
    isSecond = isFirst;
    return { ...section, fillsRow };
  });
}

/** A filter button on the page Explore. One click turns the filter on or off. */
export interface FilterButton {
  readonly text: 'chip_today' | 'chip_weekend' | 'chip_free';
  readonly href: string;
  readonly isChosen: boolean;
}

/** The filter buttons "today", "weekend" and "free". Their links keep the other filters, but not the page number. */
export function filterButtons(values: Readonly<Record<string, string>>, now: Date): FilterButton[] {
  const today = pragueDay(now);
  const choices: readonly (readonly [FilterButton['text'], Readonly<Record<string, string>>])[] = [
    ['chip_today', { date_from: today, date_to: today }],
    ['chip_weekend', weekendFrom(today)],
    ['chip_free', { price: 'free' }],
  ];
  return choices.map(([text, choice]) => {
    const isChosen = Object.entries(choice).every(([name, value]) => values[name] === value);
    const { page: _, ...others } = values;
    const next = new URLSearchParams({ ...others, ...choice });
    if (isChosen) for (const name of Object.keys(choice)) next.delete(name);
    const query = next.toString();
    return { text, isChosen, href: query ? `/?${query}` : '/' };
  });
}

/** From Friday to Sunday: the rest of this weekend, or the next weekend. */
function weekendFrom(today: CalendarDay): { date_from: CalendarDay; date_to: CalendarDay } {
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  return { date_from: addDays(today, Math.max(0, 4 - weekday)), date_to: addDays(today, 6 - weekday) };
}

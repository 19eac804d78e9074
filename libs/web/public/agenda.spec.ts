import type { EventResource } from '#areas/events/event.resource';
import { agendaOf, filterButtons } from './agenda';
import type { Tile } from './tile';
import type { Reader } from '../readers';

const READER = { locale: 'en', timezone: 'Europe/Prague' } as Reader;
/** A Wednesday, 0:30 in Prague; in UTC it is still Tuesday. */
const WEDNESDAY = new Date('2031-05-06T22:30:00Z');

describe('the list of Explore', () => {
  const event = (starts_at: string, is_boosted = false) => ({ starts_at, is_boosted }) as EventResource;
  const sections = (events: readonly EventResource[], now = WEDNESDAY) =>
    agendaOf(
      events,
      events.map((_, n) => ({ title: String(n), chips: [] as Tile['chips'] }) as Tile),
      READER,
      now,
    ).map(({ heading, isFeatured, tiles }) => [
      heading.replaceAll(',', ''),
      isFeatured,
      tiles.map(({ title }) => title),
    ]);

  it('groups events by the day of their start in the reader’s time zone, and marks yesterday, today and tomorrow', () => {
    expect(
      sections([
        event('2031-05-06T10:00:00Z'),
        event('2031-05-06T23:00:00Z'),
        event('2031-05-07T21:59:59Z'),
        event('2031-05-07T22:00:00Z'),
        event('2031-05-09T10:00:00Z'),
        event('2031-05-09T11:00:00Z'),
        event('2032-05-09T11:00:00Z'),
      ]),
    ).toEqual([
      ['Yesterday Tuesday 6 May', false, ['0']],
      ['Today Wednesday 7 May', false, ['1', '2']],
      ['Tomorrow Thursday 8 May', false, ['3']],
      ['Friday 9 May', false, ['4', '5']],
      ['Sunday 9 May 2032', false, ['6']],
    ]);
  });

  it('has Czech headings that begin with a capital letter, and writes a weekday after “Dnes,” in lower case', () => {
    const events = [event('2031-05-07T10:00:00Z'), event('2031-05-09T10:00:00Z')];
    const days = agendaOf(events, [{} as Tile, {} as Tile], { ...READER, locale: 'cs' }, WEDNESDAY);
    expect(days.map(({ heading }) => heading)).toEqual(['Dnes, středa 7. května', 'Pátek 9. května']);
  });

  it.each([
    ['has 25 hours', '2031-10-25T22:30:00Z', '2031-10-27T11:00:00Z', 'Tomorrow Monday 27 October'],
    ['comes before a day of 23 hours', '2031-03-29T22:30:00Z', '2031-03-30T10:00:00Z', 'Tomorrow Sunday 30 March'],
  ])('marks the next day as tomorrow if today %s', (_, now, start, heading) => {
    expect(sections([event(start)], new Date(now))).toEqual([[heading, false, ['0']]]);
  });

  it('shows only the time of an event below the heading of its day, but the day and time of a boosted event', () => {
    const starts = ['2031-05-09T10:00:00Z', '2031-05-09T07:05:00Z'];
    const events = [event(starts[0] as string, true), event(starts[1] as string)];
    const tiles = events.map(() => ({ when: 'Fri, 9 May, 12:00', chips: [] as Tile['chips'] }) as Tile);
    const shown = agendaOf(events, tiles, READER, WEDNESDAY).map((day) => day.tiles.map(({ when }) => when));
    expect(shown).toEqual([['Fri, 9 May, 12:00'], ['09:05']]);
  });

  it('shows no chip “featured” on events below the heading “Featured”', () => {
    const tile = { when: null, chips: [{ text: 'featured', look: 'hot' }, { text: 'free' }] } as unknown as Tile;
    const [day] = agendaOf([event('2031-05-09T10:00:00Z', true)], [tile], READER, WEDNESDAY);
    expect(day?.tiles[0]?.chips).toEqual([{ text: 'free' }]);
  });

  it.each([
    [[1], [true]],
    [
      [1, 1],
      [false, false],
    ],
    [
      [1, 1, 1],
      [false, false, true],
    ],
    [
      [2, 1, 3],
      [true, true, true],
    ],
    [
      [1, 2, 1, 1],
      [true, true, false, false],
    ],
  ])('puts two successive days with one event each into one row: %j', (counts, expected) => {
    const events = counts.flatMap((count, day) =>
      Array.from({ length: count }, () => event(`2031-05-1${day}T10:00:00Z`)),
    );
    const days = agendaOf(
      events,
      events.map(() => ({}) as Tile),
      READER,
      WEDNESDAY,
    );
    expect(days.map(({ fillsRow }) => fillsRow)).toEqual(expected);
  });

  it('has one section for all boosted events, even if the events are on different days', () => {
    expect(
      sections([
        event('2031-05-09T10:00:00Z', true),
        event('2031-05-20T10:00:00Z', true),
        event('2031-05-09T10:00:00Z'),
      ]),
    ).toEqual([
      ['Featured', true, ['0', '1']],
      ['Friday 9 May', false, ['2']],
    ]);
  });
});

describe('the filter buttons of Explore', () => {
  const hrefs = (values: Record<string, string>, now = WEDNESDAY) =>
    filterButtons(values, now).map(({ text, href, isChosen }) => [text, href, isChosen]);

  // PAGE-28
  it('add or remove one filter, keep the other filters, and remove the page number', () => {
    expect(hrefs({})).toEqual([
      ['chip_today', '/?date_from=2031-05-07&date_to=2031-05-07', false],
      ['chip_weekend', '/?date_from=2031-05-09&date_to=2031-05-11', false],
      ['chip_free', '/?price=free', false],
    ]);
    expect(hrefs({ q: 'kolo', page: '3', price: 'free' })).toEqual([
      ['chip_today', '/?q=kolo&price=free&date_from=2031-05-07&date_to=2031-05-07', false],
      ['chip_weekend', '/?q=kolo&price=free&date_from=2031-05-09&date_to=2031-05-11', false],
      ['chip_free', '/?q=kolo', true],
    ]);
    expect(hrefs({ date_from: '2031-05-07', date_to: '2031-05-07' })[0]).toEqual(['chip_today', '/', true]);
    // A filter that begins with the day of the button, but ends later, does not count as the filter of the button.
    expect(hrefs({ date_from: '2031-05-07', date_to: '2031-05-30' })[0]?.[2]).toBe(false);
  });

  it.each([
    ['Monday', '2031-05-05', ['2031-05-09', '2031-05-11']],
    ['Thursday', '2031-05-08', ['2031-05-09', '2031-05-11']],
    ['Friday', '2031-05-09', ['2031-05-09', '2031-05-11']],
    ['Saturday', '2031-05-10', ['2031-05-10', '2031-05-11']],
    ['Sunday', '2031-05-11', ['2031-05-11', '2031-05-11']],
  ])(
    'include, if today is %s, the days of the weekend (Friday to Sunday) that are not over',
    (_, today, [from, to]) => {
      const weekend = filterButtons({}, new Date(`${today}T10:00:00Z`))[1];
      expect(weekend?.href).toBe(`/?date_from=${from}&date_to=${to}`);
    },
  );
});

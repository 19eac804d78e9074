import type { EventResource } from '#areas/events/event.resource';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { attendance, distanceText, EventTiles, priceOf, withoutRelation } from './event-tiles';

const say = translator('en');

// PAGE-23
describe('the text about the price', () => {
  it.each<[number | null, number, string]>([
    [null, 0, 'free'],
    [0, 0, 'free'],
    [0.5, 0, 'CZK 0.50'],
    [300, 0, 'CZK 300'],
    [null, 3, '3 credits'],
    [300, 3, '3 credits'],
  ])('is correct for price_czk %p and ticket_price_credits %p: %s', (price_czk, ticket_price_credits, text) => {
    expect(priceOf({ price_czk, ticket_price_credits }, 'en')).toBe(text);
  });
});

// PAGE-16
describe('numbers', () => {
  it('have the decimal separator of the language', () => {
    const price = { price_czk: 1234.5, ticket_price_credits: 0 };
    expect([priceOf(price, 'cs'), priceOf(price, 'en')]).toEqual(['1\u00a0234,50\u00a0Kč', 'CZK 1,234.50']);
    expect([distanceText(1.25, 'cs'), distanceText(1.25, 'en'), distanceText(2, 'cs')]).toEqual([
      '1,3\u00a0km',
      '1.3 km',
      '2,0\u00a0km',
    ]);
  });

  it('are not zero for a distance below 100 metres', () => {
    expect([distanceText(0, 'en'), distanceText(0.099, 'cs'), distanceText(0.1, 'en')]).toEqual([
      'under 100 m',
      'do 100\u00a0m',
      '0.1 km',
    ]);
  });
});

describe('the text about the participants', () => {
  const event = (current_participants: number, max_participants: number | null) =>
    ({ current_participants, max_participants }) as EventResource;

  // PAGE-23, PAGE-37
  it.each<[number, number | null, boolean, string]>([
    [4, null, false, '4 going'],
    [4, 10, false, '4 of 10 going'],
    [4, 10, true, '4 went'],
    [4, null, true, '4 went'],
  ])('is correct for %p participants, max_participants %p and isPast %p: %s', (count, max, isPast, text) => {
    expect(attendance(event(count, max), isPast, say)).toBe(text);
  });

  // PAGE-37
  it.each([false, true])('does not say that people go or went to a cancelled event (isPast %p)', (isPast) => {
    expect(attendance({ ...event(4, 10), status: 'cancelled' }, isPast, say)).toBe('4 signed up');
  });
});

// PAGE-120
describe('the tile of an event', () => {
  const NOW = new Date('2031-05-07T10:00:00Z');
  const tiles = new EventTiles({ now: () => NOW }, {
    page: (path: string) => `https://example.org${path}`,
  } as WireFormat);
  const READER = { locale: 'en', timezone: 'Europe/Prague' } as Reader;
  const EVENT = {
    id: 'abc',
    title: 'Picnic',
    status: 'active',
    type: 'other',
    starts_at: '2031-05-08T10:00:00Z',
    ends_at: null,
    images: [],
    price_czk: null,
    ticket_price_credits: 0,
    current_participants: 4,
    max_participants: 5,
  } as unknown as EventResource;
  const ENDED = { starts_at: '2031-05-06T10:00:00Z' };
  const FULL = { current_participants: 5 };
  const viewer = (participation: ViewerParticipation | null, is_organizer = false) => ({
    viewer: { participation, is_organizer, offer: null },
  });
  const OFFERED = { viewer: { ...viewer('waitlisted').viewer, offer: { expires_at: '2031-05-07T11:00:00Z' } } };

  it.each<[object, string[]]>([
    [{}, []],
    [viewer(null), []],
    [FULL, ['full']],
    [{ max_participants: null }, []],
    [{ ...viewer('confirmed'), ...FULL }, ['you’re going']],
    [{ ...viewer('waitlisted'), ...FULL }, ['you’re on the waitlist', 'full']],
    [OFFERED, ['you have an offer of a seat']],
    [viewer('pending'), ['you’re invited']],
    [viewer('requested'), ['your request is waiting']],
    [viewer('declined'), []],
    [viewer(null, true), ['your event']],
    [{ ...viewer('confirmed'), ...FULL, ...ENDED }, []],
    [{ ...viewer('confirmed'), ...FULL, status: 'cancelled' }, ['cancelled']],
  ])('says what the reader has to do with the event, and whether it is full: %j', (fields, chips) => {
    const [tile] = tiles.tilesOf([{ ...EVENT, ...fields }], READER);
    expect(tile?.chips.map(({ text }) => text)).toEqual([...chips, 'free']);
  });

  it('does not repeat in a list of a single relation what the reader has to do with the event', () => {
    const [tile] = tiles.tilesOf([{ ...EVENT, ...FULL, ...viewer('pending') }], READER);
    expect(tile && withoutRelation(tile).chips.map(({ text }) => text)).toEqual(['full', 'free']);
    const [offered] = tiles.tilesOf([{ ...EVENT, ...OFFERED }], READER);
    expect(offered && withoutRelation(offered).chips).toEqual([
      { text: 'you have an offer of a seat', look: 'hot' },
      { text: 'free' },
    ]);
  });
});

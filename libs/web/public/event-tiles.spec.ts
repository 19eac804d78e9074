import type { EventResource } from '#areas/events/event.resource';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { Reader } from '../readers';
import { EventTiles } from './event-tiles';
import { withoutRelation } from './tile';

// PAGE-120
describe('the tile of an event', () => {
  const NOW = new Date('2031-05-07T10:00:00Z');
  const tiles = new EventTiles({ now: () => NOW });
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
  ])('shows the reader’s relation to the event, and whether the event is full: %j', (fields, chips) => {
    const [tile] = tiles.tilesOf([{ ...EVENT, ...fields }], READER);
    expect(tile?.chips.map(({ text }) => text)).toEqual([...chips, 'free']);
  });

  it('omits the reader’s relation if all events of the list have the same relation, but still shows an offer of a seat', () => {
    const [tile] = tiles.tilesOf([{ ...EVENT, ...FULL, ...viewer('pending') }], READER);
    expect(tile && withoutRelation(tile).chips.map(({ text }) => text)).toEqual(['full', 'free']);
    const [offered] = tiles.tilesOf([{ ...EVENT, ...OFFERED }], READER);
    expect(offered && withoutRelation(offered).chips).toEqual([
      { text: 'you have an offer of a seat', look: 'hot' },
      { text: 'free' },
    ]);
  });
});

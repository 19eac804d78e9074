import type { EventState } from '#areas/participation/event-for-viewer.reader';
import { eventJsonLd, scriptJson } from './json-ld';

// PAGE-31
describe('JSON in a script element', () => {
  it.each(['</script><script>alert(1)</script>', '<!--', ']]>', '&lt;', '\u2028\u2029'])(
    'cannot end the element or begin another element: %j',
    (text) => {
      const json = scriptJson({ name: text });
      expect(json).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(json)).toEqual({ name: text });
    },
  );
});

// PAGE-31
describe('the structured data of an event', () => {
  const EVENT = {
    title: 'Piknik',
    url: 'https://events.example/events/abc',
    status: 'active',
    starts_at: '2031-05-01T10:00:00Z',
    ends_at: null,
    location_name: null,
    location_address: null,
    latitude: null,
    longitude: null,
    images: [],
    description: null,
    organizer: { name: 'Jana' },
    price_czk: null,
    ticket_price_credits: 0,
    ticket_url: null,
    max_participants: null,
  };
  const dataOf = (fields: Partial<Record<keyof typeof EVENT, unknown>>, isFull = false) =>
    JSON.parse(
      eventJsonLd({ event: { ...EVENT, ...fields }, isFull } as unknown as EventState, 'https://events.example/jana'),
    ) as Record<string, unknown>;

  it('contains only the values that the event has', () => {
    expect(dataOf({})).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Piknik',
      url: EVENT.url,
      startDate: EVENT.starts_at,
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      organizer: { '@type': 'Person', name: 'Jana', url: 'https://events.example/jana' },
      isAccessibleForFree: true,
    });
    expect(
      dataOf({
        status: 'cancelled',
        ends_at: '2031-05-01T12:00:00Z',
        location_name: 'Letná',
        location_address: 'Praha 7',
        latitude: 50.1,
        longitude: 14.4,
        images: [{ url: 'https://events.example/media/a.jpg' }],
        description: '<p>Jídlo &amp; pití</p>',
        max_participants: 5,
      }),
    ).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
      endDate: '2031-05-01T12:00:00Z',
      location: {
        '@type': 'Place',
        name: 'Letná',
        address: 'Praha 7',
        geo: { '@type': 'GeoCoordinates', latitude: 50.1, longitude: 14.4 },
      },
      image: ['https://events.example/media/a.jpg'],
      description: 'Jídlo & pití',
      maximumAttendeeCapacity: 5,
    });
  });

  it.each<[number | null, number, boolean, boolean, object | undefined]>([
    [null, 0, false, true, undefined],
    [0, 0, false, true, { price: 0, availability: 'https://schema.org/InStock' }],
    [120, 0, false, false, { price: 120, priceCurrency: 'CZK', availability: 'https://schema.org/InStock' }],
    [120, 0, true, false, { price: 120, availability: 'https://schema.org/SoldOut' }],
    [null, 3, false, false, undefined],
  ])(
    'states the price in crowns, and whether the event is free or sold out: %p crowns, %p credits, full: %p',
    (price_czk, ticket_price_credits, isFull, isFree, offers) => {
      const data = dataOf({ price_czk, ticket_price_credits }, isFull);
      expect(data['isAccessibleForFree']).toBe(isFree);
      if (offers === undefined) expect(data).not.toHaveProperty('offers');
      else expect(data['offers']).toMatchObject(offers);
    },
  );
});

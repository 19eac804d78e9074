import { textOfHtml } from '#platform/text/html';
import type { EventState } from '#areas/participation/event-for-viewer.reader';

/**
 * Structured data of an event (schema.org) for search engines, as the content of a `script` element. The text cannot
 * end the element, because every `<`, `>` and `&` is written as a JSON escape.
 */
export function eventJsonLd({ event, isFull }: EventState, organizerUrl: string): string {
  const place = {
    '@type': 'Place',
    ...(event.location_name !== null && { name: event.location_name }),
    ...(event.location_address !== null && { address: event.location_address }),
    ...(event.latitude !== null &&
      event.longitude !== null && {
        geo: { '@type': 'GeoCoordinates', latitude: event.latitude, longitude: event.longitude },
      }),
  };
  return scriptJson({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    url: event.url,
    startDate: event.starts_at,
    ...(event.ends_at !== null && { endDate: event.ends_at }),
    eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    ...(Object.keys(place).length > 1 && { location: place }),
    ...(event.images.length > 0 && { image: event.images.map(({ url }) => url) }),
    ...(event.description !== null && { description: textOfHtml(event.description) }),
    organizer: { '@type': 'Person', name: event.organizer.name, url: organizerUrl },
    isAccessibleForFree: (event.price_czk ?? 0) === 0 && event.ticket_price_credits === 0,
    ...(event.price_czk !== null && {
      offers: {
        '@type': 'Offer',
        price: event.price_czk,
        priceCurrency: 'CZK',
        url: event.ticket_url ?? event.url,
        availability: `https://schema.org/${isFull ? 'SoldOut' : 'InStock'}`,
      },
    }),
    ...(event.max_participants !== null && { maximumAttendeeCapacity: event.max_participants }),
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Returns JSON that is safe as the content of a `script` element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? character);
}

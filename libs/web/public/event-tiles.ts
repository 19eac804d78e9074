import { Injectable } from '@nestjs/common';
import type { EventResource } from '#areas/events/event.resource';
import type { EventViewerResource } from '#areas/participation/event-for-viewer.resource';
import type { Locale } from '#contract/vocabulary';
import { Clock } from '#platform/time/clock';
import { localStart } from '../local-time';
import type { Reader } from '../readers';
import { translator, type TextKey, type Translate } from '../texts';
import { attendance, coverOf, isOver, priceOf } from './event-facts';
import { distanceText, type ChipLook, type Tile } from './tile';

/**
 * An event as it appears in any list of the API. The organizer's own list is the only one with `is_public`, and the
 * only one without `viewer`.
 */
type ListedEvent = EventResource & {
  readonly distance_km?: number | null;
  readonly is_public?: boolean;
  readonly viewer?: Pick<EventViewerResource, 'is_organizer' | 'participation' | 'offer'>;
};

@Injectable()
export class EventTiles {
  constructor(private readonly clock: Clock) {}

  tilesOf(events: readonly ListedEvent[], reader: Reader): Tile[] {
    const now = this.clock.now();
    const say = translator(reader.locale);
    return events.map((event) => {
      const cover = coverOf(event) ?? event.images[0];
      return {
        href: `/events/${event.id}`,
        title: event.title,
        image: cover?.thumb_url ?? null,
        when: localStart(reader, new Date(event.starts_at), now),
        where: event.location_name ?? event.location_address,
        chips: chipsOf(event, isOver(event, now), reader.locale, say),
        more: attendance(event, isOver(event, now), say),
      };
    });
  }
}

/** The text key of the reader's relation to an event; null if the list shows no relation. */
function relationOf({ viewer }: ListedEvent): TextKey | null {
  if (viewer?.is_organizer) return 'tile_organizer';
  if (viewer?.offer) return 'tile_offered';
  const { participation = null } = viewer ?? {};
  return participation === null || participation === 'declined' ? null : `tile_${participation}`;
}

/** The chips of an event. Only active events that are not over have chips about seats and about the reader. */
function chipsOf(event: ListedEvent, isPast: boolean, locale: Locale, say: Translate): Tile['chips'] {
  const { status, current_participants: count, max_participants: max } = event;
  const isOpen = status === 'active' && !isPast;
  const relation = isOpen ? relationOf(event) : null;
  const marks: readonly (readonly [boolean, TextKey | null, ChipLook?])[] = [
    [status === 'cancelled', 'cancelled', 'off'],
    [isOpen, relation, relation === 'tile_offered' ? 'hot' : 'good'],
    // A person who goes to the event has a seat.
    [isOpen && max !== null && count >= max && relation !== 'tile_confirmed', 'full'],
    [event.is_public === false, 'private'],
    [event.is_boosted, 'boosted', 'hot'],
    [event.seeking_company && status !== 'cancelled', 'seeking', 'hot'],
    [event.is_recurring, 'recurring'],
  ];
  return [
    ...marks.flatMap(([applies, key, look]) => (applies && key ? [{ text: say(key), look }] : [])),
    ...(event.type === 'other' ? [] : [{ text: say(`type_${event.type}`) }]),
    { text: priceOf(event, locale) },
    ...(typeof event.distance_km === 'number' ? [{ text: distanceText(event.distance_km, locale) }] : []),
  ];
}

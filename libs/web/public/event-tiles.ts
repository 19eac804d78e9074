import { Injectable } from '@nestjs/common';
import type { EventResource } from '#areas/events/event.resource';
import { overAt } from '#areas/events/over-at';
import type { EventViewerResource } from '#areas/participation/event-for-viewer.resource';
import type { Locale } from '#contract/vocabulary';
import { WireFormat } from '#platform/http/wire-format';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { Clock } from '#platform/time/clock';
import { withoutBadBreaks } from '../line-breaks';
import { localStart } from '../local-time';
import type { Reader } from '../readers';
import { amountText, translator, type Translate, type TextKey } from '../texts';

/**
 * `hot` is a chip in the accent colour, `good` the green chip about the reader's relation to the event, `off` a dark
 * chip. A chip without a look is grey. An offer of a seat is `hot`, because the reader has to answer it in time.
 */
type ChipLook = 'hot' | 'good' | 'off';

/** The data of `views/tile.eta`: one event, group or post in a list on a page. */
export interface Tile {
  readonly href: string;
  readonly title: string;
  /** The address of a picture; null if a letter on a coloured background is shown. */
  readonly image: string | null;
  /** The number of the background's colour, 0 to 7. */
  readonly tint: number;
  readonly letter: string;
  /** `when` is the text above the title, `where` the text below it. */
  readonly when: string | null;
  readonly where: string | null;
  readonly chips: readonly { readonly text: string; readonly look?: ChipLook }[];
  /** The text after the chips: the number of participants or members, or the author of a post. */
  readonly more: string | null;
}

type Times = Pick<EventResource, 'starts_at' | 'ends_at'>;

/**
 * An event as it appears in any list of the API. The organizer's own list is the only one with `is_public`, and the
 * only one without `viewer`.
 */
type Listed = EventResource & {
  readonly distance_km?: number | null;
  readonly is_public?: boolean;
  readonly viewer?: Pick<EventViewerResource, 'is_organizer' | 'participation' | 'offer'>;
};

@Injectable()
export class EventTiles {
  constructor(
    private readonly clock: Clock,
    private readonly wire: WireFormat,
  ) {}

  tilesOf(events: readonly Listed[], reader: Reader): Tile[] {
    const now = this.clock.now();
    const say = translator(reader.locale);
    return events.map((event) => {
      const cover = event.images.find((image) => image.is_primary) ?? event.images[0];
      return {
        href: `/events/${event.id}`,
        title: event.title,
        image: cover?.thumb_url ?? drawingAddress(event.id, this.wire),
        tint: 0,
        letter: '',
        when: localStart(reader, new Date(event.starts_at), now),
        where: event.location_name ?? event.location_address,
        chips: chipsOf(event, isOver(event, now), reader.locale, say),
        more: attendance(event, isOver(event, now), say),
      };
    });
  }
}

/** The price as text: in credits, in CZK, or "free". */
export function priceOf(
  { price_czk: price, ticket_price_credits: credits }: Pick<EventResource, 'price_czk' | 'ticket_price_credits'>,
  locale: Locale,
): string {
  const say = translator(locale);
  if (credits > 0) return say('price_credits', { count: credits });
  if (price === null || price === 0) return say('free');
  return say('price_czk', { price: amountText(price, locale) });
}

/** The number of participants as text. It is in the past tense for a past event, and neutral for a cancelled event. */
export function attendance(
  { status, current_participants: count, max_participants: max }: EventResource,
  isPast: boolean,
  say: Translate,
): string {
  if (status === 'cancelled') return say('attending_cancelled', { count });
  if (isPast) return say('attended', { count });
  return max === null ? say('attending', { count }) : say('attending_of', { count, max });
}

/** Whether the event is over (EVT-16), regardless of its status. */
export function isOver(event: Times, now: Date): boolean {
  return isOverFor(event, 0, now);
}

/** Whether the event has been over for at least this many seconds (EVT-16). */
export function isOverFor(event: Times, seconds: number, now: Date): boolean {
  return overAtOf(event).getTime() + seconds * 1000 <= now.getTime();
}

/** The time from which the event is over (EVT-16). */
export function overAtOf({ starts_at, ends_at }: Times): Date {
  return overAt(new Date(starts_at), ends_at === null ? null : new Date(ends_at));
}

/** The path of the drawing that replaces a missing picture. It has no host, because pages work under any host name. */
export function drawingAddress(id: string, wire: WireFormat): string {
  return new URL(wire.page(`/events/${id}/drawing.svg`)).pathname;
}

const VERY_NEAR: Readonly<Record<Locale, string>> = { cs: 'do 100 m', en: 'under 100 m' };

/** A distance with one decimal: "1.2 km", in Czech "1,2 km". A distance below 0.1 km is shown as "under 100 m". */
export function distanceText(kilometres: number, locale: Locale): string {
  if (kilometres < 0.1) return withoutBadBreaks(VERY_NEAR[locale], locale);
  const format = new Intl.NumberFormat(LANGUAGE_TAGS[locale], { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return withoutBadBreaks(`${format.format(kilometres)} km`, locale);
}

/** Returns the tile without the chips whose text is `text`, for lists whose heading already contains this text. */
export function withoutChip(tile: Tile, text: string): Tile {
  return { ...tile, chips: tile.chips.filter((chip) => chip.text !== text) };
}

/**
 * Returns the tile without the chip about the reader's relation to the event, for lists of a single relation. An offer
 * of a seat is still shown, because only some waitlisted people have one.
 */
export function withoutRelation(tile: Tile): Tile {
  return { ...tile, chips: tile.chips.filter(({ look }) => look !== 'good') };
}

export function letterOf(title: string): string {
  return [...title][0]?.toUpperCase() ?? '';
}

/** The reader's relation to an event in a list, as the key of a text; null if there is none that the list shows. */
function relationOf({ viewer }: Listed): TextKey | null {
  if (viewer?.is_organizer) return 'tile_organizer';
  if (viewer?.offer) return 'tile_offered';
  const { participation = null } = viewer ?? {};
  return participation === null || participation === 'declined' ? null : `tile_${participation}`;
}

/** The chips of an event. Those about free seats and about the reader are only for active events that are not over. */
function chipsOf(event: Listed, isPast: boolean, locale: Locale, say: Translate): Tile['chips'] {
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
    [event.is_recurring, 'recurring', 'hot'],
  ];
  return [
    ...marks.flatMap(([applies, key, look]) => (applies && key ? [{ text: say(key), look }] : [])),
    ...(event.type === 'other' ? [] : [{ text: say(`type_${event.type}`) }]),
    { text: priceOf(event, locale) },
    ...(typeof event.distance_km === 'number' ? [{ text: distanceText(event.distance_km, locale) }] : []),
  ];
}

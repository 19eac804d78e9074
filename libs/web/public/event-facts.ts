import type { EventResource } from '#areas/events/event.resource';
import { overAt } from '#areas/events/over-at';
import type { Locale } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { localTimes, type TimePreferences } from '../local-time';
import { amountText, translator, type Translate } from '../texts';

type Times = Pick<EventResource, 'starts_at' | 'ends_at'>;

/** The start, or the start and the end, as text. */
export function whenOf({ starts_at, ends_at }: Times, reader: TimePreferences): string {
  return localTimes(reader, new Date(starts_at), ends_at === null ? null : new Date(ends_at));
}

/** The name and the address of the place as text; empty if the event has neither. */
export function whereOf({
  location_name,
  location_address,
}: Pick<EventResource, 'location_name' | 'location_address'>): string {
  return [location_name, location_address].filter(Boolean).join(', ');
}

/** The primary picture; null if the event has none. */
export function coverOf({ images }: Pick<EventResource, 'images'>): EventResource['images'][number] | null {
  return images.find((image) => image.is_primary) ?? null;
}

/** The path of the drawing that replaces a missing picture. It has no host, because pages work under any host name. */
export function drawingAddress(id: string, wire: WireFormat): string {
  return new URL(wire.page(`/events/${id}/drawing.svg`)).pathname;
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

import type { EventStatus, EventType, GenderRestriction, JoinMode } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { EventImageSnapshot } from './event.entity';
import { READ_PROPERTIES, type ColumnsOf } from './event.fields';
import { participantsOf } from './event-relation';

/** A group that is out of sight is none (MOD-8). */
const SHOWN_GROUP = 'CASE WHEN e.group_id IS NOT NULL THEN (SELECT g.id FROM groups g WHERE g.id = e.group_id) END';
const SHOWN_OTHERWISE: Readonly<Record<string, string>> = { group_id: `${SHOWN_GROUP} AS group_id` };
const FIRST_OCCURRENCE = `CASE WHEN e.series_id IS NOT NULL THEN
    (SELECT f.id FROM events f WHERE f.series_id = e.series_id ORDER BY f.series_index LIMIT 1) END`;

/** The columns of an event that every answer is made of, from a row `e`. */
export const EVENT_COLUMNS = `
  ${Object.keys(READ_PROPERTIES).map((column) => SHOWN_OTHERWISE[column] ?? `e.${column}`).join(', ')},
  ${FIRST_OCCURRENCE} AS first_occurrence_id`;

/**
 * SQL: values, small ones, of which one is another whenever EVENT_COLUMNS but the count are. Every change of the row but that of its count
 * gives it the next revision (migration 0010); what is not of the row stands here itself.
 */
export const EVENT_MARKS_BUT_COUNT = `e.id, e.revision, e.version, e.updated_at, ${SHOWN_GROUP}, ${FIRST_OCCURRENCE}`;

/** The same of all of EVENT_COLUMNS. */
export const EVENT_MARKS = `${EVENT_MARKS_BUT_COUNT}, e.confirmed_count`;

/** SQL: a number of 64 bits, told as text, that is another whenever an own event's columns are. */
export const EVENT_MARK = `hash_record_extended(ROW(${EVENT_MARKS}), 0)`;

/** bigint and numeric arrive as text. */
type AsText = 'id' | 'organizer_id' | 'group_id' | 'series_id' | 'price_czk';

/** What EVENT_COLUMNS select. */
export interface EventRow extends Omit<ColumnsOf<typeof READ_PROPERTIES>, AsText> {
  id: string;
  organizer_id: string;
  group_id: string | null;
  series_id: string | null;
  price_czk: string | null;
  first_occurrence_id: string | null;
}

/** A cover image of an event (EVT-29). */
export class EventImageResource {
  id: string;
  url: string;
  thumb_url: string;
  width: number;
  height: number;
  is_primary: boolean;
}

/** What everybody who sees an event sees of it (EVT-14). */
export class EventResource {
  /** hashid */
  id: string;
  title: string;
  /** sanitized HTML */
  description: string | null;
  type: EventType;
  status: EventStatus;
  starts_at: string;
  ends_at: string | null;
  location_name: string | null;
  location_address: string | null;
  latitude: number | null;
  longitude: number | null;
  join_mode: JoinMode;
  max_participants: number | null;
  /** the organizer and all confirmed participants */
  current_participants: number;
  seeking_company: boolean;
  age_min: number | null;
  age_max: number | null;
  gender_restriction: GenderRestriction | null;
  price_czk: number | null;
  price_note: string | null;
  ticket_url: string | null;
  ticket_price_credits: number;
  photos_enabled: boolean;
  images: EventImageResource[];
  /** hashid of its group */
  group: string | null;
  /** hashid of its series */
  series: string | null;
  is_recurring: boolean;
  /** hashid of the first occurrence of its series; null on that one */
  parent_event: string | null;
  boosted_until: string | null;
  is_boosted: boolean;
  url: string;
  created_at: string;
  updated_at: string;
}

/** The own-event shape: with what only the organizer sees. */
export class OwnEventResource extends EventResource {
  is_public: boolean;
  join_password: string | null;
}

/** The part of an event that all its shapes share. `now` decides whether a boost still lasts. */
export function eventResource(row: EventRow, now: Date, wire: WireFormat): EventResource {
  const id = wire.id('event', row.id);
  return {
    id,
    title: row.title,
    description: row.description,
    type: row.type,
    status: row.status,
    starts_at: toWire(row.starts_at),
    ends_at: toWire(row.ends_at),
    location_name: row.location_name,
    location_address: row.location_address,
    latitude: row.latitude,
    longitude: row.longitude,
    join_mode: row.join_mode,
    max_participants: row.max_participants,
    current_participants: participantsOf(row),
    seeking_company: row.seeking_company,
    age_min: row.age_min,
    age_max: row.age_max,
    gender_restriction: row.gender_restriction,
    price_czk: row.price_czk === null ? null : Number(row.price_czk),
    price_note: row.price_note,
    ticket_url: row.ticket_url,
    ticket_price_credits: row.ticket_price_credits,
    photos_enabled: row.photos_enabled,
    images: row.images.map((image) => eventImageResource(image, { isPublic: row.is_public }, wire)),
    group: wire.idOrNull('group', row.group_id),
    series: wire.idOrNull('series', row.series_id),
    is_recurring: row.series_id !== null,
    parent_event: row.first_occurrence_id === row.id ? null : wire.idOrNull('event', row.first_occurrence_id),
    boosted_until: toWire(row.boosted_until),
    is_boosted: isBoosted(row, now),
    url: wire.page(`/events/${id}`),
    created_at: toWire(row.created_at),
    updated_at: toWire(row.updated_at),
  };
}

export function isBoosted({ boosted_until }: Pick<EventRow, 'boosted_until'>, now: Date): boolean {
  return boosted_until !== null && boosted_until > now;
}

export function eventImageResource(image: EventImageSnapshot, ofEvent: { isPublic: boolean }, wire: WireFormat): EventImageResource {
  return {
    id: wire.id('event_image', image.id),
    url: wire.media(image.key, ofEvent),
    thumb_url: wire.thumb(image.key, ofEvent),
    width: image.width,
    height: image.height,
    is_primary: image.is_primary,
  };
}

/** `joinPassword` in the clear, or null in every mode but `password`. */
export function ownEventResource(row: EventRow, joinPassword: string | null, now: Date, wire: WireFormat): OwnEventResource {
  return { ...eventResource(row, now, wire), is_public: row.is_public, join_password: joinPassword };
}

import type { EventStatus, EventType, GenderRestriction, JoinMode, WaitlistMode } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { seesGroupSql } from '../groups/group-access.policy';
import type { EventImageSnapshot } from './event.entity';
import { READ_PROPERTIES, type ColumnsOf } from './event.fields';
import { participantsOf, waitlistModeOf } from './event-relation';

/**
 * SQL: the id of an event's group; null if the event has no group, if the user does not see the group (EVT-31), or if
 * the group is hidden (MOD-8). `userId` is an SQL expression, and `event` is the alias of the event's table.
 */
export function visibleGroupSql(userId: string, event = 'e'): string {
  return `CASE WHEN ${event}.group_id IS NOT NULL THEN (SELECT g.id FROM groups g WHERE g.id = ${event}.group_id AND ${seesGroupSql(userId)}) END`;
}
const FIRST_OCCURRENCE = `CASE WHEN e.series_id IS NOT NULL THEN
    (SELECT f.id FROM events f WHERE f.series_id = e.series_id ORDER BY f.series_index LIMIT 1) END`;

/**
 * The columns of an event `e` for every response, without the group, which depends on the viewer (`visibleGroupSql`).
 */
export const EVENT_COLUMNS = `
  ${Object.keys(READ_PROPERTIES)
    .filter((column) => column !== 'group_id')
    .map((column) => `e.${column}`)
    .join(', ')},
  ${FIRST_OCCURRENCE} AS first_occurrence_id`;

/**
 * SQL list of the values from which the fingerprint of an event is computed (`SHARED_FINGERPRINT`). The fingerprint
 * ignores `confirmed_count`: the trigger `events_revision` increments the revision at every update of the event's row,
 * unless the update changes `confirmed_count`. The revision does not change when another row changes, so the list also
 * contains the needed values of other rows.
 */
export const EVENT_FINGERPRINT_VALUES = `e.id, e.revision, e.version, e.updated_at, ${FIRST_OCCURRENCE}`;

/**
 * SQL: the expiry time of each stored offer of a seat of event `e`; null if there is no offer. Some stored offers may
 * have expired.
 */
export const OFFERS_UNTIL = `CASE WHEN e.offers_count > 0 THEN
    ARRAY(SELECT p.offer_expires_at FROM participations p WHERE p.event_id = e.id AND p.status = 'waitlisted' AND p.offer_expires_at IS NOT NULL) END`;

/** EVENT_COLUMNS with the group and the offers, for `OwnEventResource`. */
export const OWN_EVENT_COLUMNS = `${EVENT_COLUMNS}, ${OFFERS_UNTIL} AS offers_until, ${visibleGroupSql('e.organizer_id')} AS group_id`;

/** Columns of the types bigint and numeric, which the database driver returns as text. */
type AsText = 'id' | 'organizer_id' | 'group_id' | 'series_id' | 'price_czk';

/** A row with the columns of EVENT_COLUMNS and `visibleGroupSql`. */
export interface EventRow extends Omit<ColumnsOf<typeof READ_PROPERTIES>, AsText> {
  id: string;
  organizer_id: string;
  group_id: string | null;
  series_id: string | null;
  price_czk: string | null;
  first_occurrence_id: string | null;
}

/** An image of an event (EVT-29). */
export class EventImageResource {
  /** hashid */
  id: string;
  /** the picture, at most 2048 pixels on its longer side */
  url: string;
  /** a small version for lists */
  thumb_url: string;
  /** width of the picture at `url`, in pixels */
  width: number;
  /** height of the picture at `url`, in pixels */
  height: number;
  /** whether the image is the primary image (the cover); an event with images has exactly one primary image */
  is_primary: boolean;
}

/** An event as shown to everyone who sees it (EVT-14). */
export class EventResource {
  /** hashid */
  id: string;
  /** 3 to 100 characters of plain text */
  title: string;
  /** sanitized HTML */
  description: string | null;
  /** what kind of event it is */
  type: EventType;
  /** a cancelled event stays cancelled */
  status: EventStatus;
  /** start, in UTC */
  starts_at: string;
  /** end, in UTC; null if not given: the event then ends 6 hours after its start */
  ends_at: string | null;
  /** name of the place; null when not given */
  location_name: string | null;
  /** postal address of the place; null when not given */
  location_address: string | null;
  /** degrees north; null exactly when `longitude` is null */
  latitude: number | null;
  /** degrees east; null exactly when `latitude` is null */
  longitude: number | null;
  /** how people join: `open` at once, `password` with the join password, `tickets` with a ticket code, `request` with the organizer's approval */
  join_mode: JoinMode;
  /** seats, including the organizer's; null: no limit */
  max_participants: number | null;
  /** the organizer and all confirmed participants */
  current_participants: number;
  /** whether the organizer is looking for company */
  seeking_company: boolean;
  /** lowest age on the day of the start; null: no limit */
  age_min: number | null;
  /** highest age on the day of the start; null: no limit */
  age_max: number | null;
  /** the only permitted gender; null: everybody */
  gender_restriction: GenderRestriction | null;
  /** price in Czech crowns, collected by the organizer outside this service; null when not given */
  price_czk: number | null;
  /** a remark on the price; null when not given */
  price_note: string | null;
  /** where tickets are sold outside this service; null when not given */
  ticket_url: string | null;
  /** price in credits; if it is above 0, people cannot join the event: 422 `paid_ticket_unsupported` */
  ticket_price_credits: number;
  /** whether the organizer and confirmed participants may add photos to the gallery */
  photos_enabled: boolean;
  /** the effective mode in which a free seat is given to the waitlist. It is always `manual` if there is no `max_participants`, if `join_mode` is neither `open` nor `password`, or if there is a price in credits */
  waitlist_mode: WaitlistMode;
  /** the event's images, oldest first */
  images: EventImageResource[];
  /** hashid of the event's group; null if there is none or the caller does not see it */
  group: string | null;
  /** hashid of the event's series; null if there is none */
  series: string | null;
  /** whether the event belongs to a series */
  is_recurring: boolean;
  /** hashid of the first occurrence of the series; null for that occurrence and for a single event */
  parent_event: string | null;
  /** until when Discover lists this event ahead of events without a boost; null if the event was never boosted or the operator removed the boost */
  boosted_until: string | null;
  /** whether `boosted_until` is in the future */
  is_boosted: boolean;
  /** the event's web page */
  url: string;
  /** when the event was created */
  created_at: string;
  /** when the event was last changed */
  updated_at: string;
}

/** An event as its organizer gets it, with the fields that only the organizer sees. */
export class OwnEventResource extends EventResource {
  /**
   * whether everybody sees the event; a private event is seen by the organizer, by confirmed, invited and waitlisted
   * people, and by people who asked to join
   */
  is_public: boolean;
  /** the join password in plain text; null unless `join_mode` is `password` */
  join_password: string | null;
  /** how a free seat is given to the waitlist, as chosen by the organizer */
  declare waitlist_mode: WaitlistMode;
  /** for how many hours an offer holds a seat */
  offer_hours: number;
  /** seats that are held by offers; only the organizer sees this */
  open_offers: number;
}

/** The fields that every response about an event contains. `now` decides whether a boost is still active. */
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
    waitlist_mode: waitlistModeOf(row),
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

export function eventImageResource(
  image: EventImageSnapshot,
  event: { isPublic: boolean },
  wire: WireFormat,
): EventImageResource {
  return {
    id: wire.id('event_image', image.id),
    url: wire.media(image.key, event),
    thumb_url: wire.thumb(image.key, event),
    width: image.width,
    height: image.height,
    is_primary: image.is_primary,
  };
}

/** `joinPassword` is the join password in plain text; null if the join mode is not `password`. */
export function ownEventResource(
  row: EventRow & { readonly offers_until: readonly Date[] | null },
  joinPassword: string | null,
  now: Date,
  wire: WireFormat,
): OwnEventResource {
  return {
    ...eventResource(row, now, wire),
    is_public: row.is_public,
    join_password: joinPassword,
    waitlist_mode: row.waitlist_mode,
    offer_hours: row.offer_hours,
    open_offers: row.offers_until?.filter((until) => until > now).length ?? 0,
  };
}

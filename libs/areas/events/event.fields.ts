import type { Event } from './event.entity';

/*
 * The fields of an event, once: column (which is the name on the wire, but for the join password) and property. From here come the
 * columns that are read, the template of a series and its answer, what PATCH writes, a new event's empty fields, and what of it is in
 * the export of its organizer's data. The steps for a new field: CONTRIBUTING.md, "Add a field to an event".
 */

/** What the occurrences of a series share. */
export const TEMPLATE_PROPERTIES = {
  title: 'title',
  description: 'description',
  type: 'type',
  location_name: 'locationName',
  location_address: 'locationAddress',
  latitude: 'latitude',
  longitude: 'longitude',
  is_public: 'isPublic',
  join_mode: 'joinMode',
  join_password_sealed: 'joinPasswordSealed',
  max_participants: 'maxParticipants',
  age_min: 'ageMin',
  age_max: 'ageMax',
  gender_restriction: 'genderRestriction',
  price_czk: 'priceCzk',
  price_note: 'priceNote',
  ticket_url: 'ticketUrl',
  photos_enabled: 'photosEnabled',
} as const satisfies Record<string, keyof Event>;

/** What its organizer says of one event beyond that. */
const OWN_PROPERTIES = {
  starts_at: 'startsAt',
  ends_at: 'endsAt',
  seeking_company: 'seekingCompany',
} as const satisfies Record<string, keyof Event>;

/** What operators and the service say of it. */
const STORED_PROPERTIES = {
  id: 'id',
  organizer_id: 'organizerId',
  group_id: 'groupId',
  series_id: 'seriesId',
  status: 'status',
  over_at: 'overAt',
  confirmed_count: 'confirmedCount',
  ticket_price_credits: 'ticketPriceCredits',
  source_name: 'sourceName',
  source_url: 'sourceUrl',
  boosted_until: 'boostedUntil',
  images: 'images',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const satisfies Record<string, keyof Event>;

const { description: _cleaned, join_password_sealed: _sealed, ...SAID_AS_IT_IS } = TEMPLATE_PROPERTIES;

/** What goes from a body into the event as it is: the description is cleaned first, and the join password depends on the join mode. */
export const WRITTEN_PROPERTIES = { ...SAID_AS_IT_IS, ...OWN_PROPERTIES } as const;

/** What answers are made of; the sealed join password is read where it is opened. */
export const READ_PROPERTIES = {
  ...STORED_PROPERTIES,
  ...WRITTEN_PROPERTIES,
  description: 'description',
} as const satisfies Record<string, keyof Event>;

/** The values of such fields, under the names of their columns. */
export type ColumnsOf<Properties extends Record<string, keyof Event>> = {
  [Column in keyof Properties]: Event[Properties[Column]];
};

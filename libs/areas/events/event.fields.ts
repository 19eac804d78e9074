import type { Event } from './event.entity';

/*
 * The fields of an event. Each field has a column and a property. The columns of the fields that organizers write have
 * the same names as the fields in the API, except the column of the join password (`join_password_sealed`). These lists
 * determine the columns that are read, the template and the response of a series, the fields that PATCH writes, the
 * empty fields of a new event, and the export of the organizer's data.
 * Steps for a new field: CONTRIBUTING.md, "Add a field to an event".
 */

/** Fields that the occurrences of a series share. */
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
  waitlist_mode: 'waitlistMode',
  offer_hours: 'offerHours',
} as const satisfies Record<string, keyof Event>;

/** Fields that the organizer writes and that the template of a series does not have. */
const OWN_PROPERTIES = {
  starts_at: 'startsAt',
  ends_at: 'endsAt',
  seeking_company: 'seekingCompany',
} as const satisfies Record<string, keyof Event>;

/**
 * The other fields. They are never copied from a request: the service sets them, for example when the organizer chooses
 * a group, cancels the event or uploads pictures, or when an operator changes the event.
 */
const STORED_PROPERTIES = {
  id: 'id',
  organizer_id: 'organizerId',
  group_id: 'groupId',
  series_id: 'seriesId',
  status: 'status',
  over_at: 'overAt',
  confirmed_count: 'confirmedCount',
  offers_count: 'offersCount',
  ticket_price_credits: 'ticketPriceCredits',
  source_name: 'sourceName',
  source_url: 'sourceUrl',
  boosted_until: 'boostedUntil',
  images: 'images',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const satisfies Record<string, keyof Event>;

const { description: _cleaned, join_password_sealed: _sealed, ...COPIED_PROPERTIES } = TEMPLATE_PROPERTIES;

/**
 * Fields that are copied unchanged from the body of a request. The description is missing because it is sanitized, and
 * the join password because it depends on the join mode.
 */
export const WRITTEN_PROPERTIES = { ...COPIED_PROPERTIES, ...OWN_PROPERTIES } as const;

/** Fields that are read for responses. The encrypted join password is read only where it is decrypted. */
export const READ_PROPERTIES = {
  ...STORED_PROPERTIES,
  ...WRITTEN_PROPERTIES,
  description: 'description',
} as const satisfies Record<string, keyof Event>;

/** The values of the fields, by column name. */
export type ColumnsOf<Properties extends Record<string, keyof Event>> = {
  [Column in keyof Properties]: Event[Properties[Column]];
};

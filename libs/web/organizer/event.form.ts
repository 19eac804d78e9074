import {
  EVENT_TYPES,
  FREQUENCIES,
  GENDER_RESTRICTIONS,
  JOIN_MODES,
  RICH_TEXT_TAGS,
  WAITLIST_MODES,
} from '#contract/vocabulary';
import {
  area,
  check,
  choicesOf,
  COORDINATES,
  files,
  formPlan,
  number,
  place,
  select,
  text,
  time,
  type Section,
} from '../form/plan';

/**
 * Maximum size in bytes of the form of an event or series. The form contains the description twice: as it was shown and
 * as it was typed.
 */
export const MAX_EVENT_FORM_BYTES = 256 * 1024;

const ANYBODY = { value: '', text: 'event_gender_any' } as const;

/** The first section of the forms of events and series. */
const ABOUT: Section = {
  fields: [
    text('title', 'event_title', { required: true }),
    select('type', 'kind', choicesOf(EVENT_TYPES, 'type_')),
    area('description', 'event_description', { tags: RICH_TEXT_TAGS, hint: 'event_description_hint' }),
  ],
};
const WHERE: Section = {
  title: 'where',
  fields: [text('location_name', 'event_place'), text('location_address', 'event_address'), place()],
  more: COORDINATES,
};
const WHO: Section['fields'] = [
  check('is_public', 'event_public', { hint: 'event_public_hint' }),
  select('join_mode', 'how_to_join', choicesOf(JOIN_MODES, 'event_mode_')),
  text('join_password', 'event_password', { hint: 'event_password_hint', autocomplete: 'new-password' }),
  number('max_participants', 'event_seats', { hint: 'event_seats_hint' }),
  select('waitlist_mode', 'event_waitlist', choicesOf(WAITLIST_MODES, 'event_waitlist_'), {
    hint: 'event_waitlist_hint',
  }),
  number('offer_hours', 'event_offer_hours', { hint: 'event_offer_hours_hint' }),
];
const RESTRICTIONS: Section['more'] = {
  title: 'event_restrictions',
  fields: [
    select('gender_restriction', 'event_gender', [ANYBODY, ...choicesOf(GENDER_RESTRICTIONS, 'event_gender_')]),
    number('age_min', 'event_age_min'),
    number('age_max', 'event_age_max'),
  ],
};
const PRICE: Section = {
  title: 'price',
  fields: [
    number('price_czk', 'event_price', { isAmount: true, hint: 'event_price_hint' }),
    text('price_note', 'event_price_note'),
    text('ticket_url', 'event_ticket_url', { type: 'url' }),
  ],
};
const PHOTOS = check('photos_enabled', 'event_photos', { hint: 'event_photos_hint' });
const COMPANY = check('seeking_company', 'event_company', { hint: 'event_company_hint' });
const WHEN: Section = {
  title: 'when',
  fields: [time('starts_at', 'event_start', { required: true }), time('ends_at', 'event_end')],
};

/** The form of /events/new. */
export const NEW_EVENT = formPlan(
  'new-event',
  ABOUT,
  WHEN,
  WHERE,
  {
    title: 'who',
    fields: [select('group', 'group', [], { hint: 'event_group_hint' }), ...WHO, COMPANY],
    more: RESTRICTIONS,
  },
  PRICE,
  {
    title: 'event_pictures',
    fields: [PHOTOS, files('images', 'event_pictures_choice', { many: true, hint: 'event_images_hint' })],
  },
);

/** The form of /events/{id}/edit. */
export const EVENT = formPlan(
  'event',
  ABOUT,
  WHEN,
  WHERE,
  { title: 'who', fields: [...WHO, COMPANY], more: RESTRICTIONS },
  PRICE,
  { title: 'event_photos_title', fields: [PHOTOS] },
);

/** The form of /series/new. */
export const NEW_SERIES = formPlan(
  'new-series',
  ABOUT,
  {
    title: 'when',
    fields: [
      time('starts_at', 'series_start', { required: true }),
      number('duration_minutes', 'series_duration'),
      select('frequency', 'series_frequency', choicesOf(FREQUENCIES, 'series_')),
      number('interval', 'series_interval', { hint: 'series_interval_hint' }),
      text('until', 'series_until', { type: 'date', hint: 'series_until_hint' }),
      number('occurrences_limit', 'series_limit'),
    ],
  },
  WHERE,
  { title: 'who', fields: WHO, more: RESTRICTIONS },
  PRICE,
  { fields: [PHOTOS] },
);

/** The form of /series/{id}/edit. It has no fields for the recurrence, which cannot be changed. */
export const SERIES = formPlan('series', ABOUT, WHERE, { title: 'who', fields: WHO, more: RESTRICTIONS }, PRICE, {
  fields: [PHOTOS],
});

/** The form of /events/{id}/edit/images, which is on the page /events/{id}/edit. */
export const EVENT_IMAGES = formPlan('event-images', {
  fields: [files('images', 'event_pictures_choice', { many: true, hint: 'event_images_hint', required: true })],
});

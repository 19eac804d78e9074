import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { translate, type Text } from '#platform/messages/messages';
import { withoutBadBreaks } from './line-breaks';
import { numberText, translator, type TextKey } from './texts';

/**
 * The labels of list parameters, and of fields in forms without a `formPlan` (a plan has its own labels). If a field of
 * a DTO has no label here, calls of `readFields` and `readListing` with this DTO do not compile (PAGE-42).
 */
const FIELD_LABELS = {
  // Accounts
  name: 'name',
  email: 'email',
  password: 'password',
  current_password: 'password_current',
  email_password: 'password_current',
  passkey_password: 'second_step_password',
  nickname: 'nickname',
  slug: 'slug',
  locale: 'locale',
  timezone: 'timezone',
  birth_date: 'birth_date',
  gender: 'gender',
  iban: 'iban',
  searchable: 'searchable',
  show_participation: 'show_participation',
  avatar: 'avatar',
  access: 'token_access',
  expires_in: 'token_expires_in',
  expires_on: 'expires',
  // Webhooks
  url: 'webhook_url',
  types: 'webhook_types',
  description: 'webhook_description',
  // Groups, comments and photos
  user: 'member',
  body: 'comment_body',
  image: 'comment_image',
  photos: 'photos',
  // Apps
  homepage: 'app_homepage',
  redirect_uris: 'app_redirect_uris',
  icon: 'app_icon',
  user_code: 'device_code',
  // Moderation
  decision: 'moderation_decision',
  days: 'moderation_days',
  reason: 'moderation_reason',
  answer: 'moderation_decision',
  objection: 'decision_objection',
  note: 'report_note',
  good_faith: 'report_good_faith',
  subject_id: 'report_address',
  // Lists
  q: 'look_for',
  type: 'kind',
  date_from: 'date_from',
  date_to: 'date_to',
  price: 'price',
  place: 'place_field',
  lat: 'lat',
  lng: 'lng',
  radius_km: 'radius_km',
  min_participants: 'min_participants',
  source: 'source',
  seeking_company: 'seeking',
  ids: 'list_ids',
  organizer: 'list_organizer',
  group: 'group',
  series: 'list_series',
  bbox: 'list_box',
  starts_after: 'list_starts_after',
  starts_before: 'list_starts_before',
  sort: 'list_sort',
  relation: 'list_relation',
  scope: 'list_scope',
  page: 'list_page',
  per_page: 'list_per_page',
  limit: 'list_per_page',
  before: 'requests_before',
  status: 'requests_status',
  code: 'requests_code',
  route: 'requests_route',
  token: 'requests_token',
} as const satisfies Record<string, TextKey>;

type LabelledField = keyof typeof FIELD_LABELS;

/** The type of a DTO if all its fields have a label here; otherwise `never`, so that the code does not compile. */
export type Labelled<T> = Exclude<keyof T, LabelledField> extends never ? T : never;

/** The label of a field, or of an item of a list (`types.0`); "Another value" for a field that has no label here. */
export function labelOf(field: string, locale: Locale): string {
  const [name = ''] = field.split('.');
  return translator(locale)(Object.hasOwn(FIELD_LABELS, name) ? FIELD_LABELS[name as LabelledField] : 'other_field');
}

/** Texts that pages show instead of error texts that contain values, formats or types of the API. */
const TEXTS_FOR_PEOPLE: Partial<Record<Text['key'], TextKey>> = {
  one_of: 'field_one_of',
  boolean: 'field_one_of',
  day: 'field_day',
  datetime: 'field_datetime',
  after: 'field_after',
  too_short: 'field_too_short',
  list_too_short: 'field_list_too_short',
};

/**
 * Returns the years that an error mentions (for `day` only the first accepted year) as texts, because numbers would be
 * shown with a thousands separator.
 */
function yearsIn(key: Text['key'], { min, max }: NonNullable<Text['values']>): Text['values'] {
  if (key === 'day') return { min: String(LIMITS.years.min) };
  return key === 'years' ? { min: String(min), max: String(max) } : {};
}

/** Translates a field's error for people. The result contains labels in place of field names, and no API values. */
export function translateForPeople(
  { key, values = {} }: Text,
  locale: Locale,
  labelFor = (field: string): string => labelOf(field, locale),
): string {
  const quoted = (field: string): string => translator(locale)('quoted', { text: labelFor(field) });
  const { field, fields } = values;
  const shown = {
    ...values,
    ...yearsIn(key, values),
    ...(field !== undefined && { field: quoted(String(field)) }),
    ...(fields !== undefined && { fields: String(fields).split(', ').map(quoted).join(', ') }),
  };
  const ownText = TEXTS_FOR_PEOPLE[key];
  if (ownText) return translator(locale)(ownText, shown);
  return withoutBadBreaks(translate({ key, values: shown }, locale, numberText), locale);
}

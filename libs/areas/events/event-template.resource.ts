import type { EventType, GenderRestriction, JoinMode } from '#contract/vocabulary';
import { TEMPLATE_PROPERTIES, type ColumnsOf } from './event.fields';

/**
 * What the occurrences of a series share, checked and ready to be written: under the names of the columns of `events`,
 * which is also the shape in which a series keeps it.
 */
export type EventTemplate = Readonly<ColumnsOf<typeof TEMPLATE_PROPERTIES>>;

/** The template as its owner sees it (SER-10). */
export class EventTemplateResource {
  title: string;
  /** sanitized HTML */
  description: string | null;
  type: EventType;
  location_name: string | null;
  location_address: string | null;
  latitude: number | null;
  longitude: number | null;
  is_public: boolean;
  join_mode: JoinMode;
  join_password: string | null;
  max_participants: number | null;
  age_min: number | null;
  age_max: number | null;
  gender_restriction: GenderRestriction | null;
  price_czk: number | null;
  price_note: string | null;
  ticket_url: string | null;
  photos_enabled: boolean;
}

const COLUMNS = Object.keys(TEMPLATE_PROPERTIES) as (keyof EventTemplate)[];

/** `joinPassword` in the clear, or null in every mode but `password`; it stands where the template has the sealed one. */
export function eventTemplateResource(template: EventTemplate, joinPassword: string | null): EventTemplateResource {
  const shown = COLUMNS.map((column): [string, unknown] => (column === 'join_password_sealed' ? ['join_password', joinPassword] : [column, template[column]]));
  return Object.fromEntries(shown) as unknown as EventTemplateResource;
}

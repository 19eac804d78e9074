import { PickType } from '@nestjs/swagger';
import { EVENT_DEFAULTS } from '#contract/vocabulary';
import { TEMPLATE_PROPERTIES, type ColumnsOf } from './event.fields';
import { OwnEventResource } from './event.resource';

/**
 * The validated values of the fields that the occurrences of a series share. The keys are the names of the columns of
 * `events`, also in the stored series.
 */
export type EventTemplate = Readonly<ColumnsOf<typeof TEMPLATE_PROPERTIES>>;

const COLUMNS = Object.keys(TEMPLATE_PROPERTIES) as (keyof EventTemplate)[];

/** Values for fields that are missing in templates stored by earlier versions: null for all except two fields. */
const DEFAULTS = {
  ...(Object.fromEntries(COLUMNS.map((column) => [column, null])) as object),
  waitlist_mode: EVENT_DEFAULTS.waitlist_mode,
  offer_hours: EVENT_DEFAULTS.offer_hours,
} satisfies Partial<EventTemplate>;

/** A stored template with all fields. */
export function completeTemplate(stored: EventTemplate): EventTemplate {
  return { ...DEFAULTS, ...stored };
}

/**
 * The name of a field in responses. It is the name of the column, except for the join password: the column contains the
 * encrypted password, and responses contain the plain text.
 */
type Field = Exclude<keyof EventTemplate, 'join_password_sealed'> | 'join_password';
const fieldOf = (column: keyof EventTemplate): Field => (column === 'join_password_sealed' ? 'join_password' : column);

/** The template as the owner of the series sees it (SER-10). */
export class EventTemplateResource extends PickType(OwnEventResource, COLUMNS.map(fieldOf)) {}

/**
 * `joinPassword` is the plain text, which replaces the encrypted password of the template. It is null if the join mode
 * is not `password`, or if the stored password cannot be decrypted.
 */
export function eventTemplateResource(template: EventTemplate, joinPassword: string | null): EventTemplateResource {
  const entries = COLUMNS.map((column): [Field, unknown] => [
    fieldOf(column),
    column === 'join_password_sealed' ? joinPassword : template[column],
  ]);
  return Object.fromEntries(entries) as unknown as EventTemplateResource;
}

import type { Event } from '../event.entity';
import { TEMPLATE_PROPERTIES } from '../event.fields';
import type { EventTemplate } from '../event-template.resource';

const PROPERTIES = Object.entries(TEMPLATE_PROPERTIES);

/** The names of the columns of a template, for SQL that copies all of these columns. */
export const TEMPLATE_COLUMNS: readonly string[] = Object.keys(TEMPLATE_PROPERTIES);

/** Returns a new template with the values of the event. */
export function templateOf(event: Event): EventTemplate {
  return Object.fromEntries(
    PROPERTIES.map(([column, property]) => [column, event[property]]),
  ) as unknown as EventTemplate;
}

/** Copies all values of the template into the event. */
export function applyTemplate(event: Event, template: EventTemplate): void {
  for (const [column, property] of PROPERTIES)
    Object.assign(event, { [property]: template[column as keyof EventTemplate] });
}

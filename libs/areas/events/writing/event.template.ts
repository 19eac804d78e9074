import type { Event } from '../event.entity';
import type { EventTemplate } from '../event-template.resource';

/** Where each column of a template lives in an event. */
const PROPERTY_OF = {
  title: 'title', description: 'description', type: 'type',
  location_name: 'locationName', location_address: 'locationAddress', latitude: 'latitude', longitude: 'longitude',
  is_public: 'isPublic', join_mode: 'joinMode', join_password_sealed: 'joinPasswordSealed', max_participants: 'maxParticipants',
  age_min: 'ageMin', age_max: 'ageMax', gender_restriction: 'genderRestriction',
  price_czk: 'priceCzk', price_note: 'priceNote', ticket_url: 'ticketUrl', photos_enabled: 'photosEnabled',
} as const satisfies Record<keyof EventTemplate, keyof Event>;

const PROPERTIES = Object.entries(PROPERTY_OF);

/** The columns of a template, for SQL that copies all of them. */
export const TEMPLATE_COLUMNS: readonly string[] = Object.keys(PROPERTY_OF);

/** The part of an event that is its series' template. */
export function templateOf(event: Event): EventTemplate {
  return Object.fromEntries(PROPERTIES.map(([column, property]) => [column, event[property]])) as unknown as EventTemplate;
}

/** Makes an event what the template says. */
export function applyTemplate(event: Event, template: EventTemplate): void {
  for (const [column, property] of PROPERTIES) Object.assign(event, { [property]: template[column as keyof EventTemplate] });
}

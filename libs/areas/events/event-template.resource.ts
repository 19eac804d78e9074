import type { EventType, GenderRestriction, JoinMode } from '#contract/vocabulary';

/**
 * What the occurrences of a series share, checked and ready to be written: under the names of the columns of `events`,
 * which is also the shape in which a series keeps it.
 */
export interface EventTemplate {
  readonly title: string;
  /** sanitized HTML */
  readonly description: string | null;
  readonly type: EventType;
  readonly location_name: string | null;
  readonly location_address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly is_public: boolean;
  readonly join_mode: JoinMode;
  readonly join_password_sealed: string | null;
  readonly max_participants: number | null;
  readonly age_min: number | null;
  readonly age_max: number | null;
  readonly gender_restriction: GenderRestriction | null;
  readonly price_czk: number | null;
  readonly price_note: string | null;
  readonly ticket_url: string | null;
  readonly photos_enabled: boolean;
}

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

/** `joinPassword` in the clear, or null in every mode but `password`. */
export function eventTemplateResource(template: EventTemplate, joinPassword: string | null): EventTemplateResource {
  return {
    title: template.title,
    description: template.description,
    type: template.type,
    location_name: template.location_name,
    location_address: template.location_address,
    latitude: template.latitude,
    longitude: template.longitude,
    is_public: template.is_public,
    join_mode: template.join_mode,
    join_password: joinPassword,
    max_participants: template.max_participants,
    age_min: template.age_min,
    age_max: template.age_max,
    gender_restriction: template.gender_restriction,
    price_czk: template.price_czk,
    price_note: template.price_note,
    ticket_url: template.ticket_url,
    photos_enabled: template.photos_enabled,
  };
}

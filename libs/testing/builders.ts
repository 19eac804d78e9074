import { EventsCommands, type EditorialFields } from '#areas/events/events.commands';
import type { EventChanges } from '#areas/events/writing/event.changes';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import type { ParticipationState } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import type { Host } from './host';
import type { Person } from './people';
import { inDays, soon } from './times';

/** A valid body of POST /events. `overrides` replaces or adds fields. */
export function eventBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { title: 'Piknik ve Stromovce', starts_at: soon(), ...overrides };
}

/** A valid value, other than the default, for each field that an event and a series have in common. */
export const COMMON_FIELDS = {
  title: 'Jiný název',
  description: 'Jiný popis',
  type: 'sport',
  location_name: 'Letná',
  location_address: 'Letenské sady 1',
  latitude: 50.1,
  longitude: 14.4,
  max_participants: 7,
  is_public: false,
  join_mode: 'password',
  join_password: 'jiné heslo',
  age_min: 18,
  age_max: 60,
  gender_restriction: 'female',
  price_czk: 50,
  price_note: 'na místě',
  ticket_url: 'https://example.org/vstupenky',
  photos_enabled: true,
  waitlist_mode: 'offer',
  offer_hours: 5,
} as const;

export interface BuiltEvent {
  /** The public id, which is used in addresses of the API. */
  readonly id: string;
  readonly eventId: number;
}

export interface EventOptions extends Partial<EventChanges> {
  readonly editorial?: EditorialFields;
  /** The public id of a group to which the organizer belongs. */
  readonly group?: string;
  /** People whose participation state is written directly, without the rules for transitions. */
  readonly with?: readonly (readonly [Person, ParticipationState])[];
}

/**
 * Creates an event without the API, so that the limit of new events per day does not apply and the event may be in the
 * past.
 */
export async function buildEvent(server: Host, organizer: Person, options: EventOptions = {}): Promise<BuiltEvent> {
  const { editorial, with: people = [], ...fields } = options;
  const eventId = await server.database.transaction(async (tx) => {
    const id = await server.app
      .get(EventsCommands)
      .create(tx, organizer.userId, { title: 'Piknik ve Stromovce', starts_at: inDays(7), ...fields }, editorial);
    for (const [person, status] of people) {
      await server.app
        .get(ParticipationCommands)
        .setParticipation(tx, id, person.userId, { status, checkedInAt: null });
    }
    return id;
  });
  return { eventId, id: server.app.get(PublicIds).encode('event', eventId) };
}

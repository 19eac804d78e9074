import { csvFile } from '#platform/text/csv';
import type { ParticipantResource } from './participant.resource';

const HEAD = [
  'name',
  'nickname',
  'slug',
  'status',
  'joined_at',
  'checked_in_at',
  'checked_in_by',
  'ticket_code',
  'offer_expires_at',
] as const;

/** Returns the people of an event as CSV: a header row, and one row for each person (STAT-6). */
export function participantsFile(people: readonly ParticipantResource[]): string {
  return csvFile([
    HEAD,
    ...people.map(({ user, status, joined_at, checked_in_at, checked_in_by, ticket_code, offer_expires_at }) => [
      user.name,
      user.nickname ?? '',
      user.slug,
      status,
      joined_at ?? '',
      checked_in_at ?? '',
      checked_in_by ?? '',
      ticket_code ?? '',
      offer_expires_at ?? '',
    ]),
  ]);
}

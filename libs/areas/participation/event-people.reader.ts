import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { participantResource, type ParticipantResource, type ParticipantRow } from './organizing/participant.resource';
import { personOf, personResource, type PersonResource, type PersonRow } from '../identity/person.resource';
import { GOING } from './organizing/going.query';
import { SELECT_PARTICIPANTS_NAMED } from './organizing/participants.query';
import { ticketResource, type TicketResource, type TicketRow } from './tickets/ticket.resource';
import { TICKETS_BY_IDS } from './tickets/tickets.query';

/**
 * Reads participants and tickets of events for other areas. Code that uses this class must first check what the viewer
 * may see.
 */
@Injectable()
export class EventPeopleReader {
  constructor(
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Returns the participants with these pairs of ids. Omits a pair if the user has no participation in the event. */
  async participantsByIds(
    database: Queryable,
    caller: Caller,
    pairs: readonly (readonly [eventId: number, userId: number])[],
  ): Promise<{ eventId: number; userId: number; participant: ParticipantResource }[]> {
    const rows = await database.rows<ParticipantRow & { event_id: string; user_id: string }>(
      SELECT_PARTICIPANTS_NAMED,
      [pairs.map(([eventId]) => eventId), pairs.map(([, userId]) => userId)],
    );
    return rows.map((row) => ({
      eventId: Number(row.event_id),
      userId: Number(row.user_id),
      participant: participantResource(row, caller, this.clock.now(), this.wire),
    }));
  }

  /**
   * Returns at most `limit` people who show their participation: the organizer, then confirmed people in the order of
   * joining. Omits banned people, people who block the viewer, and people whom the viewer blocks.
   */
  async going(
    database: Queryable,
    eventId: number,
    viewerId: number,
    limit: number,
  ): Promise<{ id: number; searchable: boolean; person: PersonResource }[]> {
    const rows = await database.rows<PersonRow<'user'> & { id: string; searchable: boolean }>(GOING, [
      eventId,
      viewerId,
      limit,
    ]);
    return rows.map((row) => ({
      id: Number(row.id),
      searchable: row.searchable,
      person: personResource(personOf(row, 'user'), this.wire),
    }));
  }

  /** Returns the tickets with these ids. The keys of the map are the ids. */
  async ticketsByIds(database: Queryable, ticketIds: readonly number[]): Promise<Map<number, TicketResource>> {
    const rows = await database.rows<TicketRow & { id: string }>(TICKETS_BY_IDS, [ticketIds]);
    return new Map(rows.map((row) => [Number(row.id), ticketResource(row, this.wire)]));
  }
}

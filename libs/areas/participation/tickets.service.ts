import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { SELECT_TICKETS } from './tickets/tickets.query';
import { TicketCodes } from './tickets/ticket-codes';
import { ticketResource, type TicketResource, type TicketRow } from './tickets/ticket.resource';
import type { MakeTicketsDto } from './tickets.dto';

const LISTING = {
  list: statement('participation_tickets', `${SELECT_TICKETS} WHERE t.event_id = $1 ORDER BY t.id LIMIT $2 OFFSET $3`),
  total: statement('participation_tickets_total', 'SELECT count(*)::int AS total FROM tickets WHERE event_id = $1'),
};
const SELECT_NEW_TICKETS = statement(
  'participation_new_tickets',
  `${SELECT_TICKETS} WHERE t.event_id = $1 AND t.id = ANY($2::bigint[]) ORDER BY t.id`,
);

const TICKETS_TO_PRINT = statement(
  'participation_tickets_to_print',
  'SELECT code, used_at IS NOT NULL AS used FROM tickets WHERE event_id = $1 ORDER BY id',
);

/** A ticket to be printed. */
export interface PrintedTicket {
  readonly code: string;
  readonly used: boolean;
}

/** The ticket codes of an event, for the organizer (JOIN-39, JOIN-40, JOIN-42). */
@Injectable()
export class TicketsService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly codes: TicketCodes,
    private readonly wire: WireFormat,
  ) {}

  /** Lists the tickets, the oldest first. */
  async list(caller: Caller, eventId: number, input: Input<PageQueryDto>): Promise<Page<TicketResource>> {
    await this.access.organized(this.database, eventId, caller.id);
    const tickets = await readPage<TicketRow>(this.database, LISTING, [eventId], sliceOf(input.read()));
    return tickets.map((row) => ticketResource(row, this.wire));
  }

  /** Returns all tickets of the event, the oldest first. Throws 404 if there are none. */
  async toPrint(caller: Caller, eventId: number): Promise<readonly PrintedTicket[]> {
    await this.access.organized(this.database, eventId, caller.id);
    const tickets = await this.database.rows<PrintedTicket>(TICKETS_TO_PRINT, [eventId]);
    if (tickets.length === 0) throw new Refusal('not_found');
    return tickets;
  }

  /**
   * Creates as many codes as requested, or as many as the limits allow, and returns them. Throws 409 `conflict` if the
   * join mode of the event is not `tickets`, and 409 `ticket_limit_reached` if the limits allow no code.
   */
  async make(caller: Caller, eventId: number, input: Input<MakeTicketsDto>): Promise<TicketResource[]> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      const { count } = input.read();
      if (event.joinMode !== 'tickets') throw new Refusal('conflict');
      const ids = await this.codes.make(tx, eventId, count, event.maxParticipants);
      const rows = await tx.rows<TicketRow>(SELECT_NEW_TICKETS, [eventId, ids]);
      return rows.map((row) => ticketResource(row, this.wire));
    });
  }

  async remove(caller: Caller, eventId: number, code: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.lockOrganized(tx, eventId, caller.id);
      await this.codes.remove(tx, eventId, code);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { SendScansDto } from './door/door.dto';
import type { DoorResource, ScanOutcomeResource } from './door/door.resource';
import { DoorService } from './door/door.service';

const TICKETS_TO_PRINT = statement(
  'door_tickets_to_print',
  'SELECT code, used_at IS NOT NULL AS used FROM tickets WHERE event_id = $1 ORDER BY id',
);

/** A ticket to be printed. */
export interface PrintedTicket {
  readonly code: string;
  readonly used: boolean;
}

/** The check-in functions of the organizer's web pages. The refusals are the same as in the API. */
@Injectable()
export class DoorCommands {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly door: DoorService,
  ) {}

  show(caller: Caller, eventId: number): Promise<DoorResource> {
    return this.door.show(caller, eventId);
  }

  /** `sent`: the body of POST /events/{id}/door/scans, not validated yet. */
  async receive(caller: Caller, eventId: number, sent: unknown): Promise<ScanOutcomeResource[]> {
    return this.door.receive(caller, eventId, await Input.of(SendScansDto, sent, 'json'));
  }

  /** All tickets of the event, the oldest first; 404 if there are none. */
  async tickets(caller: Caller, eventId: number): Promise<readonly PrintedTicket[]> {
    await this.access.organized(this.database, eventId, caller.id);
    const tickets = await this.database.rows<PrintedTicket>(TICKETS_TO_PRINT, [eventId]);
    if (tickets.length === 0) throw new Refusal('not_found');
    return tickets;
  }
}

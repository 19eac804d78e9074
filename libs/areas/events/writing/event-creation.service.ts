import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../../identity/caller.reader';
import { QuotasCommands } from '../../quotas/quotas.commands';
import type { CreateEventDto } from '../event.dto';
import type { OwnEventResource } from '../event.resource';
import { EventsCommands } from '../events.commands';
import { EventsReader } from '../events.reader';

/** Creates events for the API and for the form of the web pages (EVT-17, EVT-18). */
@Injectable()
export class EventCreationService {
  constructor(
    private readonly database: Database,
    private readonly commands: EventsCommands,
    private readonly reader: EventsReader,
    private readonly quotas: QuotasCommands,
    private readonly clock: Clock,
  ) {}

  /** Creates an event. Counts the event towards the account's daily limit, which events and series share. */
  async create(caller: Caller, input: Input<CreateEventDto>): Promise<OwnEventResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const eventId = await this.commands.create(tx, caller.id, fields, { earliestStart: this.clock.now() });
      await this.quotas.take(tx, 'events', caller.id);
      return this.reader.own(tx, eventId);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { QuotasCommands } from '../quotas/quotas.commands';
import { EventAccessPolicy } from './event-access.policy';
import type { CreateEventDto, UpdateEventDto } from './event.dto';
import type { Event } from './event.entity';
import type { OwnEventResource } from './event.resource';
import { EventsCommands } from './events.commands';
import { EventsReader } from './events.reader';

/** Use cases of organizers for their events, for the API and for the web pages (EVT-17, EVT-22). */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly commands: EventsCommands,
    private readonly reader: EventsReader,
    private readonly quotas: QuotasCommands,
    private readonly clock: Clock,
  ) {}

  /** Creates an event. Counts the event towards the account's daily limit, which events and series share (EVT-18). */
  async create(caller: Caller, input: Input<CreateEventDto>): Promise<OwnEventResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const eventId = await this.commands.create(tx, caller.id, fields, { earliestStart: this.clock.now() });
      await this.quotas.take(tx, 'events', caller.id);
      return this.reader.own(tx, eventId);
    });
  }

  /** Returns the event with the organizer's fields. Throws 403 for other people who may see the event (EVT-22). */
  async show(caller: Caller, eventId: number): Promise<OwnEventResource> {
    await this.access.organized(this.database, eventId, caller.id);
    return this.reader.own(this.database, eventId);
  }

  /**
   * Changes or cancels the event. Invalid fields (422) are reported before a conflicting state (409). After either
   * error, nothing is changed.
   */
  async update(
    caller: Caller,
    eventId: number,
    input: Input<UpdateEventDto>,
    precondition: Precondition,
  ): Promise<OwnEventResource> {
    return this.database.transaction(async (tx) => {
      const event = await this.lock(tx, eventId, caller, precondition);
      const { status, ...changes } = await input.readWith({ join_mode: event.joinMode });
      await this.commands.change(tx, event, changes, { cancels: status === 'cancelled' });
      if (status === 'active' && event.isCancelled) throw new Refusal('conflict');
      if (status === 'cancelled' && !event.isCancelled) await this.commands.cancel(tx, [event.id]);
      return this.reader.own(tx, eventId);
    });
  }

  /** Cancels the event. No effect on a cancelled event. */
  async cancel(caller: Caller, eventId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { id } = await this.access.lockOrganized(tx, eventId, caller.id);
      await this.commands.cancel(tx, [id]);
    });
  }

  /** Deletes the event. Throws 409 if the event has confirmed participants; such an event can only be cancelled. */
  async remove(caller: Caller, eventId: number, precondition: Precondition): Promise<void> {
    await this.database.transaction(async (tx) => {
      const event = await this.lock(tx, eventId, caller, precondition);
      if (event.confirmedCount > 0) throw new Refusal('conflict');
      await this.commands.remove(tx, event);
    });
  }

  /**
   * Locks the caller's own event and returns it. Throws 412 if the event's version does not meet the precondition
   * (`If-Match`).
   */
  private async lock(tx: Transaction, eventId: number, caller: Caller, precondition: Precondition): Promise<Event> {
    const event = await this.access.lockOrganized(tx, eventId, caller.id);
    await precondition.check(event.version, () => this.reader.own(tx, eventId));
    return event;
  }
}

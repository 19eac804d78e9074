import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { fieldsOf } from '#platform/http/field-definition';
import { WireFormat } from '#platform/http/wire-format';
import { Mistake } from '#platform/config/mistake';
import { NotEnoughCredits } from '../credits/credits.commands';
import { EventsCommands } from '../events/events.commands';
import { UsersReader } from '../identity/users.reader';
import { ParticipationCommands } from '../participation/participation.commands';
import { eachOnce, listOf, located, objectOf, readAt, textOf } from './document';
import { AppliedEventDto, AppliedParticipantDto, SourceDto } from './apply.dto';

const KEYS: readonly string[] = ['key', 'organizer', ...fieldsOf(AppliedEventDto).keys(), 'source', 'participants'];

/** One event of the document, checked before anything is written. */
export interface AppliedEvent {
  readonly where: string;
  readonly key: string | null;
  readonly organizer: string;
  readonly fields: AppliedEventDto;
  readonly source: SourceDto | null;
  readonly participants: readonly AppliedParticipantDto[];
}

export interface MadeEvent {
  key: string | null;
  id: string;
  numeric_id: number;
}

/** The `events` of an apply document: each is made anew. */
@Injectable()
export class ApplyEvents {
  constructor(
    private readonly users: UsersReader,
    private readonly events: EventsCommands,
    private readonly participations: ParticipationCommands,
    private readonly wire: WireFormat,
  ) {}

  read(value: unknown, where: string): AppliedEvent {
    const event = objectOf(value, KEYS, where);
    const { key, organizer, source, participants, ...rest } = event;
    const fields = readAt(AppliedEventDto, rest, where);
    return {
      where,
      key: key === undefined || key === null ? null : textOf(key, `${where}.key`),
      organizer: textOf(organizer, `${where}.organizer`),
      fields,
      source: source === undefined || source === null ? null : readAt(SourceDto, objectOf(source, ['name', 'url'], `${where}.source`), `${where}.source`),
      participants: this.participants(participants, `${where}.participants`, fields.max_participants ?? Infinity),
    };
  }

  async write(tx: Transaction, events: readonly AppliedEvent[]): Promise<MadeEvent[]> {
    const made: MadeEvent[] = [];
    for (const event of events) {
      const id = await this.event(tx, event);
      made.push({ key: event.key, id: this.wire.id('event', id), numeric_id: id });
    }
    return made;
  }

  private participants(value: unknown, where: string, room: number): AppliedParticipantDto[] {
    const participants = listOf(value, where).map((one, i) =>
      readAt(AppliedParticipantDto, objectOf(one, ['user', 'status', 'paid_credits', 'checked_in_at'], `${where}.${i}`), `${where}.${i}`),
    );
    eachOnce(participants.map(({ user }) => user), where);
    const confirmed = participants.filter(({ status = 'confirmed' }) => status === 'confirmed').length;
    if (confirmed + 1 > room) throw new Mistake(`${where}: the organizer and ${confirmed} confirmed are more than max_participants.`);
    return participants;
  }

  private async event(tx: Transaction, { where, organizer, fields, source, participants }: AppliedEvent): Promise<number> {
    const { status, ticket_price_credits, boosted_until, ...input } = fields;
    const organizerId = await this.idOf(tx, organizer);
    const editorial = {
      ...(ticket_price_credits !== undefined && { ticketPriceCredits: ticket_price_credits }),
      ...(boosted_until !== undefined && { boostedUntil: boosted_until }),
      ...(source && { source: { name: source.name, url: source.url ?? null } }),
    };
    const id = await this.events.create(tx, organizerId, input, editorial).catch((error: unknown) => {
      throw located(error, where);
    });
    for (const participant of participants) await this.participant(tx, id, organizer, participant);
    // Last, so that what follows a cancellation (refunds, notices) reaches the participants.
    if (status === 'cancelled') await this.events.cancel(tx, [id]);
    return id;
  }

  private async participant(tx: Transaction, eventId: number, organizer: string, participant: AppliedParticipantDto): Promise<void> {
    const { user, status = 'confirmed', checked_in_at = null, paid_credits = 0 } = participant;
    if (user === organizer) throw new Mistake(`${user} organizes the event and cannot be its participant.`);
    if (status !== 'confirmed' && (paid_credits > 0 || checked_in_at !== null)) {
      throw new Mistake(`${user} is ${status}: only confirmed participants have paid_credits or checked_in_at.`);
    }
    const placement = { status, checkedInAt: checked_in_at, paidCredits: paid_credits };
    await this.participations.place(tx, eventId, await this.idOf(tx, user), placement).catch((error: unknown) => {
      throw error instanceof NotEnoughCredits ? new Mistake(`${user} has fewer credits than the ${paid_credits} paid.`) : error;
    });
  }

  private async idOf(tx: Transaction, slug: string): Promise<number> {
    const id = await this.users.idOf(tx, slug);
    if (id === null) throw new Mistake(`There is no user ${slug}.`);
    return id;
  }
}

import { Injectable } from '@nestjs/common';
import { EventsCommands } from '../events/events.commands';
import { UsersReader } from '../identity/users.reader';
import { ParticipationCommands } from '../participation/participation.commands';
import type { Transaction } from '#platform/database/database';
import { readInput } from '#platform/http/input';
import { Wire } from '#platform/http/wire';
import { Mistake } from '#platform/config/mistake';
import { listOf, objectOf, textOf } from './document';
import { AppliedEventDto, AppliedParticipantDto, SourceDto } from './apply.dto';

const FIELDS = [
  'title', 'description', 'type', 'starts_at', 'ends_at', 'location_name', 'location_address', 'latitude', 'longitude', 'is_public',
  'join_mode', 'join_password', 'max_participants', 'seeking_company', 'age_min', 'age_max', 'gender_restriction', 'price_czk', 'price_note',
  'ticket_url', 'photos_enabled', 'status', 'ticket_price_credits', 'boosted_until',
] as const;
const KEYS = ['key', 'organizer', ...FIELDS, 'source', 'participants'] as const;

/** One event of the document, checked before anything is written. */
export interface AppliedEvent {
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
    private readonly wire: Wire,
  ) {}

  read(value: unknown, where: string): AppliedEvent {
    const event = objectOf(value, KEYS, where);
    const { key, organizer, source, participants, ...fields } = event;
    return {
      key: key === undefined || key === null ? null : textOf(key, `${where}.key`),
      organizer: textOf(organizer, `${where}.organizer`),
      fields: readInput(AppliedEventDto, fields, 'json'),
      source: source ? readInput(SourceDto, objectOf(source, ['name', 'url'], `${where}.source`), 'json') : null,
      participants: listOf(participants, `${where}.participants`).map((one, i) =>
        readInput(AppliedParticipantDto, objectOf(one, ['user', 'status', 'checked_in_at'], `${where}.participants.${i}`), 'json'),
      ),
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

  private async event(tx: Transaction, { organizer, fields, source, participants }: AppliedEvent): Promise<number> {
    const { status, ticket_price_credits, boosted_until, ...input } = fields;
    const id = await this.events.create(tx, await this.idOf(tx, organizer), input, {
      ...(ticket_price_credits !== undefined && { ticketPriceCredits: ticket_price_credits }),
      ...(boosted_until !== undefined && { boostedUntil: boosted_until }),
      ...(source && { source: { name: source.name, url: source.url ?? null } }),
    });
    for (const participant of participants) {
      await this.participations.place(tx, id, await this.idOf(tx, participant.user), {
        status: participant.status ?? 'confirmed',
        checkedInAt: participant.checked_in_at ?? null,
      });
    }
    // Last, so that what follows a cancellation (refunds, notices) reaches the participants.
    if (status === 'cancelled') await this.events.cancel(tx, [id]);
    return id;
  }

  private async idOf(tx: Transaction, slug: string): Promise<number> {
    const id = await this.users.idOf(tx, slug);
    if (id === null) throw new Mistake(`There is no user ${slug}.`);
    return id;
  }
}

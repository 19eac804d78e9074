import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Transaction } from '#platform/database/database';
import { fieldsOf } from '#platform/http/declared-fields';
import { PublicIds } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { OperatorError } from '#platform/config/operator-error';
import { NotEnoughCredits } from '../credits/credits.commands';
import { type EditorialFields, EventsCommands, type NewEvent } from '../events/events.commands';
import type { Event } from '../events/event.entity';
import { EventsReader } from '../events/events.reader';
import { GroupsReader } from '../groups/groups.reader';
import { UsersReader } from '../identity/users.reader';
import { ParticipationCommands } from '../participation/participation.commands';
import { attempt } from './attempt';
import { type DocumentErrors, refuseDuplicates, listOf, withLocation, objectOf, readAt, textOf } from './document';
import { AppliedEventDto, AppliedParticipantDto, SourceDto } from './apply.dto';

const KEYS: readonly string[] = ['key', 'organizer', ...fieldsOf(AppliedEventDto).keys(), 'source', 'participants'];

/**
 * With this lock, documents whose events have keys are applied one after another. Otherwise two commands with the same
 * document could both create an event for the same key.
 */
const ONE_AT_A_TIME = statement(
  'apply_one_at_a_time',
  "SELECT pg_advisory_xact_lock(hashtext('apply: keys of events'))",
);

/** A validated event of the document. */
export interface AppliedEvent {
  readonly where: string;
  readonly key: string | null;
  readonly organizer: string;
  readonly fields: AppliedEventDto;
  /** Null: the event has no source. Undefined: the document does not contain the field. */
  readonly source: SourceDto | null | undefined;
  readonly participants: readonly AppliedParticipantDto[];
}

/** An event that already exists; `stored` is null if a moderator removed the event. */
interface KnownEvent {
  readonly id: number;
  readonly stored: Event | null;
}

export type KnownEvents = ReadonlyMap<AppliedEvent, KnownEvent>;

/** The result for one event. */
export interface EventResult {
  key: string | null;
  id: string;
  numeric_id: number;
}

/**
 * The `events` of an apply document. An event with a key is found by its organizer and key; for an event without a key,
 * each run creates a new event.
 */
@Injectable()
export class ApplyEvents {
  constructor(
    private readonly users: UsersReader,
    private readonly events: EventsCommands,
    private readonly reader: EventsReader,
    private readonly participations: ParticipationCommands,
    private readonly groups: GroupsReader,
    private readonly ids: PublicIds,
    private readonly wire: WireFormat,
  ) {}

  async read(value: unknown, where: string, errors: DocumentErrors): Promise<AppliedEvent | undefined> {
    const before = errors.count;
    const event = errors.collect(() => objectOf(value, KEYS, where));
    if (!event) return undefined;
    const { key, organizer, source, participants, ...rest } = event;
    const fields = await errors.collectAsync(() => readAt(AppliedEventDto, rest, where));
    const read = {
      key: errors.collect(() =>
        key === undefined || key === null ? null : textOf(key, `${where}.key`, LIMITS.apply.key.max),
      ),
      organizer: errors.collect(() => textOf(organizer, `${where}.organizer`)),
      source: await errors.collectAsync(async () =>
        source === undefined || source === null
          ? source
          : await readAt(SourceDto, objectOf(source, ['name', 'url'], `${where}.source`), `${where}.source`),
      ),
      participants: await errors.collectAsync(() =>
        this.participants(participants, `${where}.participants`, fields?.max_participants ?? Infinity),
      ),
    };
    if (errors.count > before || !fields) return undefined;
    return {
      where,
      key: read.key ?? null,
      organizer: read.organizer ?? '',
      fields,
      source: read.source,
      participants: read.participants ?? [],
    };
  }

  /**
   * Reports a key that occurs twice for the same organizer, because both entries would refer to the same event. Returns
   * the events without the second and later entries with the same key.
   */
  withoutDuplicateKeys(events: readonly AppliedEvent[], errors: DocumentErrors): AppliedEvent[] {
    const seen = new Set<string>();
    return events.filter(({ where, key, organizer }) => {
      if (key === null) return true;
      const name = JSON.stringify([organizer, key]);
      const isRepeated = seen.has(name);
      if (isRepeated) errors.report(`${where}.key: the document contains ${key} of ${organizer} twice.`);
      seen.add(name);
      return !isRepeated;
    });
  }

  /**
   * Locks those events of the document that already exist, and the groups of all events of the document. This happens
   * before users are locked, because events and groups are always locked before users.
   */
  async lockEventsAndGroups(tx: Transaction, events: readonly AppliedEvent[]): Promise<KnownEvents> {
    const known = await this.lockKnown(tx, events);
    const groupIds = events.flatMap(({ fields }) => this.ids.decode('group', fields.group ?? '') ?? []);
    await this.groups.lock(tx, groupIds);
    return known;
  }

  /**
   * Locks the existing events that have the organizer and the key of an event in the document. Documents whose events
   * have keys are applied one after another.
   */
  private async lockKnown(tx: Transaction, events: readonly AppliedEvent[]): Promise<KnownEvents> {
    const known = new Map<AppliedEvent, KnownEvent>();
    const keyed = events.filter(({ key }) => key !== null);
    if (keyed.length === 0) return known;
    await tx.rows(ONE_AT_A_TIME);
    const found: { event: AppliedEvent; id: number }[] = [];
    for (const event of keyed) {
      const organizerId = await this.users.idOf(tx, event.organizer);
      const id = organizerId === null ? null : await this.events.idOfKey(tx, organizerId, event.key ?? '');
      if (id !== null) found.push({ event, id });
    }
    for (const { event, id } of found.sort((a, b) => a.id - b.id))
      known.set(event, { id, stored: await this.reader.lock(tx, id) });
    return known;
  }

  async write(
    tx: Transaction,
    events: readonly AppliedEvent[],
    known: KnownEvents,
    errors: DocumentErrors,
  ): Promise<EventResult[]> {
    const results: EventResult[] = [];
    for (const event of events) {
      if ([event.organizer, ...event.participants.map(({ user }) => user)].some((slug) => errors.isUnusable(slug)))
        continue;
      const id = await attempt(tx, errors, () => this.event(tx, event, known.get(event)));
      if (id !== undefined) results.push({ key: event.key, id: this.wire.id('event', id), numeric_id: id });
    }
    return results;
  }

  private async participants(value: unknown, where: string, maxParticipants: number): Promise<AppliedParticipantDto[]> {
    const participants: AppliedParticipantDto[] = [];
    for (const [i, one] of listOf(value, where).entries()) {
      const fields = objectOf(one, ['user', 'status', 'paid_credits', 'checked_in_at'], `${where}.${i}`);
      participants.push(await readAt(AppliedParticipantDto, fields, `${where}.${i}`));
    }
    refuseDuplicates(
      participants.map(({ user }) => user),
      where,
    );
    const confirmed = participants.filter(isConfirmed).length;
    if (confirmed + 1 > maxParticipants)
      throw new OperatorError(
        `${where}: the organizer and ${confirmed} confirmed participants are more than max_participants.`,
      );
    return participants;
  }

  /**
   * OPS-93: if an event with this organizer and key already exists, it is changed. Otherwise a new event is created.
   */
  private async event(tx: Transaction, event: AppliedEvent, known: KnownEvent | undefined): Promise<number> {
    const id = known ? await this.change(tx, known, event) : await this.create(tx, event);
    // The cancellation is the last step, so that the participants in the document also get the refunds and notices of
    // the cancellation.
    if (event.fields.status === 'cancelled') await this.events.cancel(tx, [id]);
    return id;
  }

  private async create(tx: Transaction, event: AppliedEvent): Promise<number> {
    const organizerId = await this.idOf(tx, event.organizer, `${event.where}.organizer`);
    const input = writtenBy(event);
    const id = await this.events.create(tx, organizerId, input, editorialOf(event)).catch((error: unknown) => {
      throw withLocation(error, event.where);
    });
    if (event.key !== null) await this.events.setKey(tx, id, event.key);
    for (const participant of event.participants) await this.participant(tx, id, event, participant);
    await this.participations.settleSeats(tx, id);
    return id;
  }

  /**
   * Writes the fields of the document to an existing event; absent fields are not changed. Also adds participants;
   * existing participations are not changed.
   */
  private async change(tx: Transaction, { id, stored }: KnownEvent, event: AppliedEvent): Promise<number> {
    const { where, key } = event;
    if (!stored) throw new OperatorError(`${where}: ${key} was removed by a moderator.`);
    const { group, ...changes } = writtenBy(event);
    if (event.fields.status === 'active' && stored.isCancelled)
      throw new OperatorError(`${where}.status: ${key} is cancelled and cannot become active again.`);
    if (group !== undefined && group !== (stored.groupId === null ? null : this.wire.id('group', stored.groupId))) {
      throw new OperatorError(`${where}.group: the group of ${key} cannot be changed after the event was created.`);
    }
    const related = await this.participations.relatedTo(tx, id);
    const added: AppliedParticipantDto[] = [];
    for (const participant of event.participants)
      if (!related.has(await this.idOf(tx, participant.user, `${whereIn(event, participant)}.user`)))
        added.push(participant);
    await this.events
      .change(tx, stored, changes, { ...editorialOf(event), cancels: event.fields.status === 'cancelled' })
      .catch((error: unknown) => {
        throw withLocation(error, where);
      });
    const seats = stored.currentParticipants + stored.offersCount + added.filter(isConfirmed).length;
    if (seats > (stored.maxParticipants ?? Infinity))
      throw new OperatorError(
        `${where}.participants: ${seats} people (with the organizer) are more than max_participants.`,
      );
    for (const participant of added) await this.participant(tx, id, event, participant);
    await this.participations.settleSeats(tx, id);
    return id;
  }

  private async participant(
    tx: Transaction,
    eventId: number,
    event: AppliedEvent,
    participant: AppliedParticipantDto,
  ): Promise<void> {
    const where = whereIn(event, participant);
    const { user, status = 'confirmed', checked_in_at = null, paid_credits = 0 } = participant;
    if (user === event.organizer)
      throw new OperatorError(`${where}: ${user} organizes the event and cannot be its participant.`);
    if (status !== 'confirmed' && (paid_credits > 0 || checked_in_at !== null)) {
      throw new OperatorError(
        `${where}: ${user} is ${status}, and only confirmed participants have paid_credits or checked_in_at.`,
      );
    }
    const placement = { status, checkedInAt: checked_in_at, paidCredits: paid_credits };
    await this.participations
      .setParticipation(tx, eventId, await this.idOf(tx, user, `${where}.user`), placement)
      .catch((error: unknown) => {
        throw error instanceof NotEnoughCredits
          ? new OperatorError(`${where}.paid_credits: ${user} has fewer credits than ${paid_credits}.`)
          : withLocation(error, where);
      });
  }

  private async idOf(tx: Transaction, slug: string, where: string): Promise<number> {
    const id = await this.users.idOf(tx, slug);
    if (id === null) throw new OperatorError(`${where}: there is no user ${slug}.`);
    return id;
  }
}

/** The position of a participant in the document. */
function whereIn({ where, participants }: AppliedEvent, participant: AppliedParticipantDto): string {
  return `${where}.participants.${participants.indexOf(participant)}`;
}

function isConfirmed({ status = 'confirmed' }: AppliedParticipantDto): boolean {
  return status === 'confirmed';
}

/** The fields that are written directly: all fields except the editorial fields (`editorialOf`) and the status. */
function writtenBy({ fields }: AppliedEvent): NewEvent {
  const { status: _status, ticket_price_credits: _price, boosted_until: _boost, ...written } = fields;
  return written;
}

function editorialOf({ fields, source }: AppliedEvent): EditorialFields {
  const { ticket_price_credits, boosted_until } = fields;
  return {
    ...(ticket_price_credits !== undefined && { ticketPriceCredits: ticket_price_credits }),
    ...(boosted_until !== undefined && { boostedUntil: boosted_until }),
    ...(source !== undefined && { source: source && { name: source.name, url: source.url ?? null } }),
  };
}

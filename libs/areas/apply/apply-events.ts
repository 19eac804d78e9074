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
import { lockEvent } from '../events/event-locks';
import { GroupsReader } from '../groups/groups.reader';
import { UsersReader } from '../identity/users.reader';
import { ParticipationCommands } from '../participation/participation.commands';
import { attempt } from './attempt';
import { type DocumentErrors, readAt, readObjectAt, refuseDuplicates, withLocation, textOf } from './document';
import { AppliedEventDto, AppliedParticipantDto, SourceDto } from './apply.dto';

const KEYS: readonly string[] = ['key', 'organizer', ...fieldsOf(AppliedEventDto).keys(), 'source', 'participants'];

/**
 * With this lock, documents whose events have keys are applied one after another. Without the lock, two commands with
 * the same document could both try to create the event with a certain key, and the later command would violate the
 * unique index.
 */
const ONE_AT_A_TIME = statement(
  'apply_one_at_a_time',
  "SELECT pg_advisory_xact_lock(hashtext('apply: keys of events'))",
);

/** A validated event of the document. */
export interface AppliedEvent {
  /** The position in error messages, such as `events.0`. */
  readonly where: string;
  readonly key: string | null;
  readonly organizer: string;
  readonly fields: AppliedEventDto;
  /** Null: the event has no source. Undefined: the document does not contain the field. */
  readonly source: SourceDto | null | undefined;
  readonly participants: readonly AppliedParticipantDto[];
}

/** A participant, with its position in the document and the id of the person's account. */
interface Participant extends AppliedParticipantDto {
  readonly where: string;
  readonly userId: number;
}

/**
 * An event that already exists. `stored` is null if the view `events` omits the event: a moderator has removed the
 * event or its series, or has banned the organizer.
 */
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
    private readonly participations: ParticipationCommands,
    private readonly groups: GroupsReader,
    private readonly ids: PublicIds,
    private readonly wire: WireFormat,
  ) {}

  async read(value: unknown, where: string, errors: DocumentErrors): Promise<AppliedEvent | undefined> {
    const before = errors.count;
    const event = errors.object(value, KEYS, where);
    if (!event) return undefined;
    const { key, organizer, source, participants, ...rest } = event;
    const fields = await errors.collectAsync(() => readAt(AppliedEventDto, rest, where));
    const organizerSlug = errors.collect(() => textOf(organizer, `${where}.organizer`));
    const read = {
      key: errors.collect(() =>
        key === undefined || key === null ? null : textOf(key, `${where}.key`, LIMITS.apply.key.max),
      ),
      source: await errors.collectAsync(() => this.readSource(source, `${where}.source`, errors)),
      participants: await this.readParticipants(participants, `${where}.participants`, errors, {
        organizer: organizerSlug,
        maxParticipants: fields?.max_participants ?? Infinity,
      }),
    };
    if (errors.count > before || !fields || organizerSlug === undefined) return undefined;
    return { where, ...read, key: read.key ?? null, organizer: organizerSlug, fields };
  }

  /**
   * Reports a key that occurs twice for the same organizer, because both entries would refer to the same event. Returns
   * the events without the entries that repeat the organizer and key of an earlier entry.
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
   * First locks the stored events that have the organizer and the key of an event in the document, then the groups of
   * all events of the document. Call this method before users are locked, because events and groups are always locked
   * before users.
   */
  async lockEventsAndGroups(tx: Transaction, events: readonly AppliedEvent[]): Promise<KnownEvents> {
    const known = await this.lockKnown(tx, events);
    const groupIds = events.flatMap(({ fields }) => this.ids.decode('group', fields.group ?? '') ?? []);
    await this.groups.lock(tx, groupIds);
    return known;
  }

  /**
   * Locks the existing events that have the organizer and the key of an event in the document. Other documents whose
   * events have keys wait until this transaction ends.
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
      known.set(event, { id, stored: await lockEvent(tx, id) });
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
      const id = await attempt(tx, errors, () => this.createOrChange(tx, event, known.get(event), errors));
      if (id !== undefined) results.push({ key: event.key, id: this.wire.id('event', id), numeric_id: id });
    }
    return results;
  }

  private async readSource(value: unknown, where: string, errors: DocumentErrors): Promise<AppliedEvent['source']> {
    if (value === undefined || value === null) return value;
    return readObjectAt(SourceDto, value, where, errors);
  }

  private async readParticipants(
    value: unknown,
    where: string,
    errors: DocumentErrors,
    event: { organizer: string | undefined; maxParticipants: number },
  ): Promise<AppliedParticipantDto[]> {
    const participants = await errors.list(value, where, async (one, at) => {
      const participant = await readObjectAt(AppliedParticipantDto, one, at, errors);
      if (!participant) return undefined;
      const { user, status = 'confirmed', checked_in_at = null, paid_credits = 0 } = participant;
      if (user === event.organizer) errors.report(`${at}: ${user} organizes the event and cannot be its participant.`);
      if (status !== 'confirmed' && (paid_credits > 0 || checked_in_at !== null))
        errors.report(
          `${at}: ${user} is ${status}, and only confirmed participants have paid_credits or checked_in_at.`,
        );
      return participant;
    });
    errors.collect(() =>
      refuseDuplicates(
        participants.map(({ user }) => user),
        where,
      ),
    );
    const confirmed = participants.filter(isConfirmed).length;
    if (confirmed + 1 > event.maxParticipants)
      errors.report(`${where}: the organizer and ${confirmed} confirmed participants are more than max_participants.`);
    return participants;
  }

  /**
   * OPS-93: if an event with this organizer and key already exists, it is changed. Otherwise a new event is created.
   */
  private async createOrChange(
    tx: Transaction,
    event: AppliedEvent,
    known: KnownEvent | undefined,
    errors: DocumentErrors,
  ): Promise<number> {
    const participants = await this.knownParticipants(tx, event, errors);
    const id = known
      ? await this.change(tx, known, event, participants, errors)
      : await this.create(tx, event, participants, errors);
    // The cancellation is the last step, so that the participants in the document also get the refunds and notices of
    // the cancellation.
    if (event.fields.status === 'cancelled') await this.events.cancel(tx, [id]);
    return id;
  }

  /** The participants of the event, with the ids of their accounts. Each unknown user is recorded as an error. */
  private async knownParticipants(
    tx: Transaction,
    event: AppliedEvent,
    errors: DocumentErrors,
  ): Promise<Participant[]> {
    const participants: Participant[] = [];
    for (const [i, participant] of event.participants.entries()) {
      const where = `${event.where}.participants.${i}`;
      const userId = await errors.collectAsync(() => this.idOf(tx, participant.user, `${where}.user`));
      if (userId !== undefined) participants.push({ ...participant, where, userId });
    }
    return participants;
  }

  private async create(
    tx: Transaction,
    event: AppliedEvent,
    participants: readonly Participant[],
    errors: DocumentErrors,
  ): Promise<number> {
    const organizerId = await this.idOf(tx, event.organizer, `${event.where}.organizer`);
    const input = organizerFieldsOf(event);
    const id = await this.events.create(tx, organizerId, input, editorialOf(event)).catch((error: unknown) => {
      throw withLocation(error, event.where);
    });
    if (event.key !== null) await this.events.setKey(tx, id, event.key);
    await this.addParticipants(tx, id, participants, errors);
    return id;
  }

  /**
   * Writes the fields of the document to an existing event; fields that the document omits are not changed. Also adds
   * the participants who have no relation to the event yet; existing participations are not changed.
   */
  private async change(
    tx: Transaction,
    { id, stored }: KnownEvent,
    event: AppliedEvent,
    participants: readonly Participant[],
    errors: DocumentErrors,
  ): Promise<number> {
    const { where, key } = event;
    if (!stored)
      throw new OperatorError(
        `${where}: ${key} is hidden: the event or its series was removed, or the organizer is banned.`,
      );
    const { group, ...changes } = organizerFieldsOf(event);
    if (event.fields.status === 'active' && stored.isCancelled)
      throw new OperatorError(`${where}.status: ${key} is cancelled and cannot become active again.`);
    if (group !== undefined && group !== (stored.groupId === null ? null : this.wire.id('group', stored.groupId))) {
      throw new OperatorError(`${where}.group: the group of ${key} cannot be changed after the event was created.`);
    }
    const related = await this.participations.relatedTo(tx, id);
    const added = participants.filter(({ userId }) => !related.has(userId));
    await this.events
      .change(tx, stored, changes, { ...editorialOf(event), cancels: event.fields.status === 'cancelled' })
      .catch((error: unknown) => {
        throw withLocation(error, where);
      });
    const seats = stored.currentParticipants + stored.offersCount + added.filter(isConfirmed).length;
    if (seats > (stored.maxParticipants ?? Infinity))
      throw new OperatorError(
        `${where}.participants: ${seats} people (with the organizer and offered seats) are more than max_participants.`,
      );
    await this.addParticipants(tx, id, added, errors);
    return id;
  }

  private async addParticipants(
    tx: Transaction,
    eventId: number,
    participants: readonly Participant[],
    errors: DocumentErrors,
  ): Promise<void> {
    for (const participant of participants) {
      const { where, userId, user, status = 'confirmed', checked_in_at = null, paid_credits = 0 } = participant;
      const placement = { status, checkedInAt: checked_in_at, paidCredits: paid_credits };
      await errors.collectAsync(() =>
        this.participations.setParticipation(tx, eventId, userId, placement).catch((error: unknown) => {
          throw error instanceof NotEnoughCredits
            ? new OperatorError(`${where}.paid_credits: ${user} has fewer credits than ${paid_credits}.`)
            : withLocation(error, where);
        }),
      );
    }
    await this.participations.settleSeats(tx, eventId);
  }

  private async idOf(tx: Transaction, slug: string, where: string): Promise<number> {
    const id = await this.users.idOf(tx, slug);
    if (id === null) throw new OperatorError(`${where}: there is no user ${slug}.`);
    return id;
  }
}

function isConfirmed({ status = 'confirmed' }: AppliedParticipantDto): boolean {
  return status === 'confirmed';
}

/** All fields except the status, and except the editorial fields (`editorialOf`), which organizers cannot write. */
function organizerFieldsOf({ fields }: AppliedEvent): NewEvent {
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

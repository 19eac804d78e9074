import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { ParticipationState } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Event } from '../events/event.entity';
import type { Caller } from '../identity/caller.reader';
import { OrganizerSteps } from './organizing/organizer-steps';
import type { ParticipantResource } from './organizing/participant.resource';
import type { InviteDto, ParticipantsQueryDto, RemoveQueryDto } from './participants.dto';
import { participantsFile } from './organizing/participants-file';
import {
  PAID_AND_CHECKED_IN,
  SELECT_INVITEE,
  SELECT_PERSON,
  STATES_AMONG,
  WAITLIST_POSITIONS,
} from './organizing/participants.query';
import { ParticipantsReader } from './organizing/participants.reader';
import { WaitlistSeats } from './waitlist/waitlist-seats';
import { COUNT_PENDING_INVITATIONS } from './record/participation.query';

/** A participant after a check-in. `alreadyCheckedIn`: whether the participant was checked in before this check-in. */
export interface CheckedIn {
  readonly participant: ParticipantResource;
  readonly alreadyCheckedIn: boolean;
}

/** Use cases of organizers for the people of an event (JOIN-23). */
@Injectable()
export class ParticipantsService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly steps: OrganizerSteps,
    private readonly reader: ParticipantsReader,
    private readonly seats: WaitlistSeats,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, eventId: number, input: Input<ParticipantsQueryDto>): Promise<Page<ParticipantResource>> {
    await this.access.organized(this.database, eventId, caller.id);
    const query = input.read();
    return this.reader.list(caller, eventId, query.status, sliceOf(query));
  }

  /**
   * The waitlist positions, from 1, of the people with these slugs. The keys of the map are the slugs of people who
   * have a position. A person whose offer has expired has no position.
   */
  async waitlistPositions(caller: Caller, eventId: number, slugs: readonly string[]): Promise<Map<string, number>> {
    await this.access.organized(this.database, eventId, caller.id);
    const rows = await this.database.rows<{ slug: string; place: number }>(WAITLIST_POSITIONS, [
      eventId,
      slugs,
      this.clock.now(),
    ]);
    return new Map(rows.map(({ slug, place }) => [slug, place]));
  }

  /**
   * The relations of the people with these slugs to the event. The keys of the map are the slugs of people who have a
   * relation.
   */
  async statesAmong(
    caller: Caller,
    eventId: number,
    slugs: readonly string[],
  ): Promise<Map<string, ParticipationState>> {
    await this.access.organized(this.database, eventId, caller.id);
    const rows = await this.database.rows<{ slug: string; status: ParticipationState }>(STATES_AMONG, [eventId, slugs]);
    return new Map(rows.map(({ slug, status }) => [slug, status]));
  }

  /**
   * The slugs, among `slugs`, of people who paid credits and are checked in. The check-in of such a person cannot be
   * undone (JOIN-35).
   */
  async paidAndCheckedIn(caller: Caller, eventId: number, slugs: readonly string[]): Promise<Set<string>> {
    await this.access.organized(this.database, eventId, caller.id);
    const rows = await this.database.rows<{ slug: string }>(PAID_AND_CHECKED_IN, [eventId, slugs]);
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Everybody with a relation to the event, except declined people, as CSV. */
  async file(caller: Caller, eventId: number): Promise<string> {
    await this.access.organized(this.database, eventId, caller.id);
    return participantsFile(await this.reader.all(caller, eventId));
  }

  async invite(caller: Caller, eventId: number, input: Input<InviteDto>): Promise<ParticipantResource> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      const [invitee] = await tx.rows<{ id: string }>(SELECT_INVITEE, [input.read().user, caller.id]);
      if (!invitee) throw new Refusal('user_not_invitable');
      const participation = await this.steps.loadAllowed(tx, 'invite', event, Number(invitee.id));
      await this.refuseTooManyInvitations(tx, eventId);
      await this.steps.invite(tx, event, participation);
      return this.reader.one(tx, caller, eventId, participation.userId);
    });
  }

  /** Approves a request, or gives a seat to a person on the waitlist. */
  async promote(caller: Caller, eventId: number, slug: string): Promise<ParticipantResource> {
    return this.database.transaction(async (tx) => {
      const { event, userId } = await this.lockEventAndFindUser(tx, caller, eventId, slug);
      await this.seats.settleFor(tx, event);
      await this.steps.promote(tx, event, await this.steps.loadAllowed(tx, 'promote', event, userId));
      return this.reader.one(tx, caller, eventId, userId);
    });
  }

  /**
   * With `ban`, bans the person. Otherwise, depending on the person's status, removes a participant or a waitlisted
   * person, cancels an invitation, declines a request, deletes a declined request or lifts a ban. If `expected` is
   * given and does not contain the person's status, nothing changes and the refusal is 409 `not_participant`.
   */
  async remove(
    caller: Caller,
    eventId: number,
    slug: string,
    input: Input<RemoveQueryDto>,
    expected?: readonly ParticipationState[],
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { event, userId } = await this.lockEventAndFindUser(tx, caller, eventId, slug);
      const trigger = input.read().ban ? 'ban' : 'remove';
      await this.seats.settleFor(tx, event);
      const participation = await this.steps.loadAllowed(tx, trigger, event, userId);
      if (expected && (participation.status === null || !expected.includes(participation.status)))
        throw new Refusal('not_participant');
      await this.steps.remove(tx, trigger, event, participation);
    });
  }

  /** If the participant is already checked in, the time of the first check-in stays, and `alreadyCheckedIn` is true. */
  async checkIn(caller: Caller, eventId: number, slug: string): Promise<CheckedIn> {
    return this.database.transaction(async (tx) => {
      const { event, userId } = await this.lockEventAndFindUser(tx, caller, eventId, slug);
      return this.checkInParticipant(tx, caller, event, userId);
    });
  }

  /** Checks in the participant with this check-in code or ticket code. */
  async checkInByCode(caller: Caller, eventId: number, input: Input<{ code: string }>): Promise<CheckedIn> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      return this.checkInParticipant(tx, caller, event, await this.steps.holderOf(tx, event, input.read().code));
    });
  }

  /**
   * Undoes a check-in. Throws 409 `conflict` if the check-in released credits to the organizer (JOIN-35). The undo is
   * stored even if the participant is not checked in (DOOR-11).
   */
  async undoCheckIn(caller: Caller, eventId: number, slug: string): Promise<ParticipantResource> {
    return this.database.transaction(async (tx) => {
      const { event, userId } = await this.lockEventAndFindUser(tx, caller, eventId, slug);
      await this.steps.undoCheckIn(tx, event, await this.steps.loadAllowed(tx, 'undo_check_in', event, userId));
      return this.reader.one(tx, caller, eventId, userId);
    });
  }

  private async checkInParticipant(tx: Transaction, caller: Caller, event: Event, userId: number): Promise<CheckedIn> {
    const participation = await this.steps.loadAllowed(tx, 'check_in', event, userId);
    const alreadyCheckedIn = participation.checkedInAt !== null;
    await this.steps.checkIn(tx, event, participation);
    return { participant: await this.reader.one(tx, caller, event.id, userId), alreadyCheckedIn };
  }

  /** Locks the event. Returns the event and the person's id. 404 for a slug that `SELECT_PERSON` does not find. */
  private async lockEventAndFindUser(
    tx: Transaction,
    caller: Caller,
    eventId: number,
    slug: string,
  ): Promise<{ event: Event; userId: number }> {
    const event = await this.access.lockOrganized(tx, eventId, caller.id);
    const [person] = await tx.rows<{ id: string }>(SELECT_PERSON, [eventId, slug]);
    if (!person) throw new Refusal('not_found');
    return { event, userId: Number(person.id) };
  }

  private async refuseTooManyInvitations(tx: Transaction, eventId: number): Promise<void> {
    const [{ pending } = { pending: 0 }] = await tx.rows<{ pending: number }>(COUNT_PENDING_INVITATIONS, [eventId]);
    if (pending >= LIMITS.participation.pending_invitations_per_event) throw new Refusal('invite_limit_reached');
  }
}

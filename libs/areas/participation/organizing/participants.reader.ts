import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { Database, type Queryable } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { compareNames } from '#platform/text/name-order';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../../identity/caller.reader';
import { participantResource, type ParticipantResource, type ParticipantRow } from './participant.resource';
import {
  ALL_PARTICIPANTS,
  SELECT_PARTICIPANT,
  SELECT_PARTICIPANTS,
  SELECT_WAITLIST,
  COUNT_PARTICIPANTS,
} from './participants.query';

/** Reads participants in the form that the organizer sees (`ParticipantResource`). */
@Injectable()
export class ParticipantsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** One person with a relation to the event. Throws 409 `not_participant` if the person has no relation to it. */
  async one(database: Queryable, caller: Caller, eventId: number, userId: number): Promise<ParticipantResource> {
    const [row] = await database.rows<ParticipantRow>(SELECT_PARTICIPANT, [eventId, userId]);
    if (!row) throw new Refusal('not_participant');
    return participantResource(row, caller, this.clock.now(), this.wire);
  }

  /** Everybody with a relation to the event, except declined people, sorted by status, then by name, then by slug. */
  async all(caller: Caller, eventId: number): Promise<ParticipantResource[]> {
    const rows = await this.database.rows<ParticipantRow>(ALL_PARTICIPANTS, [eventId]);
    return rows
      .map((row) => participantResource(row, caller, this.clock.now(), this.wire))
      .sort((one, other) => one.status.localeCompare(other.status) || compareNames(one.user.name, other.user.name));
  }

  /**
   * The people with the given status, or all people if `status` is undefined. People whose relation to the event began
   * earlier come first. If `status` is `waitlisted`, the people are in the order of the waitlist.
   */
  async list(
    caller: Caller,
    eventId: number,
    status: ParticipationState | undefined,
    slice: Slice,
  ): Promise<Page<ParticipantResource>> {
    const now = this.clock.now();
    const list = status === 'waitlisted' ? SELECT_WAITLIST : SELECT_PARTICIPANTS;
    const listing = { list, total: COUNT_PARTICIPANTS };
    const people = await readPage<ParticipantRow>(this.database, listing, [eventId, status ?? null], slice);
    return people.map((row) => participantResource(row, caller, now, this.wire));
  }
}

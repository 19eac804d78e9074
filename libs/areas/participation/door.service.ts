import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { Violations } from '#platform/http/violations';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { UsersReader } from '../identity/users.reader';
import { DoorLinksService } from './door-links.service';
import { CheckIns } from './door/check-ins';
import type { DoorBook, RecordedMark } from './door/door-book';
import type { ScanDto, SendScansDto } from './door.dto';
import { ADD_HASH_KEY, EXPECTED_GUESTS, TITLE_AND_HASH_KEY, type GuestRow } from './door/door.query';
import {
  doorPersonResource,
  scanOutcomeResource,
  type DoorResource,
  type ScanOutcomeResource,
} from './door/door.resource';
import { ScannedPeople } from './door/scans';

const { ahead, pack_bits } = LIMITS.door;
const MAX_AHEAD_MS = ahead * 1000;

/** Check-in by devices at the door (docs/rules/door.md). */
@Injectable()
export class DoorService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly users: UsersReader,
    private readonly checkIns: CheckIns,
    private readonly links: DoorLinksService,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Returns the data for devices at the door, also for events that have ended, are private or are cancelled. */
  async show(caller: Caller, eventId: number): Promise<DoorResource> {
    await this.access.organized(this.database, eventId, caller.id);
    await this.links.recordUse(caller);
    const { title, hashKey } = await this.titleAndHashKeyOf(eventId);
    const guests = await this.database.rows<GuestRow>(EXPECTED_GUESTS, [eventId]);
    return {
      pack: hashKey,
      made_at: toWire(this.clock.now()),
      people: guests.map((guest) => doorPersonResource(guest, hashKey, this.wire)),
      title,
    };
  }

  /**
   * Stores the scans of confirmed participants: all of them, or none if a scan is invalid. Returns a result for each
   * scan, in the order of the scans. For a cancelled event, stores nothing, and each result is `cancelled`.
   */
  async receive(caller: Caller, eventId: number, input: Input<SendScansDto>): Promise<ScanOutcomeResource[]> {
    await this.links.recordUse(caller);
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      const { scans } = input.read();
      refuseTimesAhead(scans, this.clock.now());
      const scanned = await ScannedPeople.of(tx, this.users, eventId, scans);
      if (event.isCancelled) return scans.map((scan) => this.cancelledOutcome(scanned.find(scan).guest));
      const book = await this.checkIns.load(tx, event, scanned.confirmed.map(guestOf));
      const results = scans.map((scan) => this.outcomeOf(book, scanned, scan, caller.token.door?.name ?? null));
      await this.checkIns.save(tx, event, book);
      return results;
    });
  }

  private outcomeOf(book: DoorBook, scanned: ScannedPeople, scan: ScanDto, by: string | null): ScanOutcomeResource {
    const { guest, isKnownTicketOrSlug } = scanned.find(scan);
    if (guest?.status !== 'confirmed')
      return scanOutcomeResource(
        guest || isKnownTicketOrSlug ? 'not_participant' : 'not_found',
        guest,
        null,
        this.wire,
      );
    const { before, after } = book.addMark(Number(guest.user_id), scan.undo ? 'undo' : 'scan', scan.scanned_at, by);
    return scanOutcomeResource(resultOf({ before, after }), guest, after, this.wire);
  }

  private cancelledOutcome(guest: GuestRow | null): ScanOutcomeResource {
    return scanOutcomeResource('cancelled', guest, guest?.checked_in_at ?? null, this.wire);
  }

  /**
   * The title of the event, and the key with which its codes are hashed (DOOR-4). The key is created at the first
   * request for it and never changes.
   */
  private async titleAndHashKeyOf(eventId: number): Promise<{ title: string; hashKey: string }> {
    const [stored] = await this.database.rows<{ title: string; pack: string | null }>(TITLE_AND_HASH_KEY, [eventId]);
    if (!stored) throw new Refusal('not_found');
    if (stored.pack !== null) return { title: stored.title, hashKey: stored.pack };
    // The insert has no effect if a concurrent request has already created the key.
    await this.database.autocommit.rows(ADD_HASH_KEY, [eventId, randomBytes(pack_bits / 8).toString('base64url')]);
    return this.titleAndHashKeyOf(eventId);
  }
}

function guestOf({ user_id, checked_in_at, checked_in_by, credit_hold_id }: GuestRow) {
  return {
    userId: Number(user_id),
    checkedInAt: checked_in_at,
    checkedInBy: checked_in_by,
    creditHoldId: credit_hold_id === null ? null : Number(credit_hold_id),
  };
}

function resultOf({ before, after }: RecordedMark): 'checked_in' | 'already' | 'undone' {
  if (after === null) return 'undone';
  return before === null ? 'checked_in' : 'already';
}

/** Throws 422 if the time of a scan is too far ahead of the server's clock (DOOR-7). */
function refuseTimesAhead(scans: readonly ScanDto[], now: Date): void {
  const errors = new Violations();
  for (const [i, { scanned_at }] of scans.entries())
    if (scanned_at.getTime() > now.getTime() + MAX_AHEAD_MS) errors.add(`scans.${i}.scanned_at`, 'not_in_the_future');
  errors.throwIfAny();
}

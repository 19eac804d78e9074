import { createHmac } from 'node:crypto';
import { SCAN_RESULTS, type ParticipationState, type ScanResult } from '#contract/vocabulary';
import { ApiProperty } from '@nestjs/swagger';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personOf, PersonResource, personResource } from '../../identity/person.resource';
import { normalCode } from '../codes';
import type { GuestRow } from './door.query';

/** A person whom a device at the door may have to check in. */
export class DoorPersonResource {
  /** the person */
  user: PersonResource;
  /** the status of the person's participation */
  status: ParticipationState;
  /**
   * hash of `viewer.check_in_code`, for confirmed participants only: lower-case hex of HMAC-SHA-256 over the normal
   * form of the code (upper case, only letters and digits, O replaced by 0, I and L by 1)
   */
  code_hash: string | null;
  /**
   * hash of the ticket code that a confirmed participant joined with, computed like `code_hash`; null if there is none
   */
  ticket_hash: string | null;
  /** when the person was checked in; null if not checked in */
  checked_in_at: string | null;
}

/** All data that a device needs at the door without a network (DOOR-3). */
export class DoorResource {
  /** the key of the hashes, in UTF-8; the key of an event never changes */
  pack: string;
  /** when this list was created, by the server's clock */
  made_at: string;
  /** everybody with a relation to the event, except declined and banned people; the oldest relation first */
  people: DoorPersonResource[];
  /** the title of the event */
  title: string;
}

/** The result of one scan. */
export class ScanOutcomeResource {
  /** the state after the scan */
  @ApiProperty({ enum: SCAN_RESULTS })
  result: ScanResult;
  /** null if the scan does not identify a person of the event */
  user: PersonResource | null;
  /** the time of the person's check-in, computed after this scan; null if not checked in */
  checked_in_at: string | null;
}

export function doorPersonResource(row: GuestRow, hashKey: string, wire: WireFormat): DoorPersonResource {
  const isConfirmed = row.status === 'confirmed';
  return {
    user: personResource(personOf(row, 'user'), wire),
    status: row.status,
    code_hash: isConfirmed ? hashOf(row.check_in_code, hashKey) : null,
    ticket_hash: isConfirmed ? hashOf(row.ticket_code, hashKey) : null,
    checked_in_at: toWire(row.checked_in_at),
  };
}

export function scanOutcomeResource(
  result: ScanResult,
  row: GuestRow | null,
  checkedInAt: Date | null,
  wire: WireFormat,
): ScanOutcomeResource {
  return {
    result,
    user: row === null ? null : personResource(personOf(row, 'user'), wire),
    checked_in_at: toWire(checkedInAt),
  };
}

function hashOf(code: string | null, hashKey: string): string | null {
  return code === null ? null : createHmac('sha256', hashKey).update(normalCode(code)).digest('hex');
}

import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { lockEventForChange } from '../../events/event-locks';
import type { Caller } from '../../identity/caller.reader';
import { lockAccount } from '../../identity/users.reader';
import type { Arrival } from './admission.rules';
import type { ViewerEventRow } from '../event-for-viewer.resource';
import { ARRIVAL } from '../record/participation.query';

/** What a join is judged by: the event as its viewer sees it, and what stays behind the door. */
export interface ArrivalRow extends ViewerEventRow {
  join_password_sealed: string | null;
  /** Another number: the organizer has changed something since. */
  revision: number;
}

/** Somebody before an event that exists. */
export interface KnownArrival extends Arrival {
  readonly event: ArrivalRow;
  readonly eventId: number;
}

/** People before the doors of events. */
@Injectable()
export class Arrivals {
  constructor(private readonly clock: Clock) {}

  /** As things stand at this moment; 404 for an event that does not exist, 403 for one the caller is banned from. */
  async at(on: Queryable, caller: Caller, eventId: number): Promise<KnownArrival> {
    const [event] = await on.rows<ArrivalRow>(ARRIVAL, [caller.id, eventId]);
    if (!event) throw new Refusal('not_found');
    if (event.participation === 'banned') throw new Refusal('banned');
    return { event, eventId, caller, now: this.clock.now() };
  }

  /** As `at`, and nothing about the event, its participations or the caller's requests changes until the transaction ends. */
  async locked(tx: Transaction, caller: Caller, eventId: number): Promise<KnownArrival> {
    await lockEventForChange(tx, eventId);
    await lockAccount(tx, caller.id);
    return this.at(tx, caller, eventId);
  }
}

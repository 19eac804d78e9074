import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/config/settings';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import type { EventMoved, OccurrencesMoved } from '../events/event.signal';
import { COLLECT_CHANGE, WRITE_EVENT_CHANGED, WRITE_SERIES_CHANGED } from './event-changes.query';

/**
 * Collects changes of the time and place of an event (NOTE-11). `EventChangesJob` writes the notices when the time and
 * place have not changed for `NOTICE_QUIET_SECONDS`. The notices are written immediately if `NOTICE_QUIET_SECONDS` is
 * 0, or if the old or the new start of the event is earlier than `NOTICE_QUIET_SECONDS` from now.
 */
@Injectable()
export class CollectEventChanges implements Reaction<EventMoved> {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async react(tx: Transaction, { eventId, before, startsAt }: EventMoved): Promise<void> {
    const now = this.clock.now();
    const { endsAt, locationName, locationAddress, latitude, longitude } = before;
    await tx.rows(COLLECT_CHANGE, [
      eventId,
      now,
      before.startsAt,
      endsAt,
      locationName,
      locationAddress,
      latitude,
      longitude,
    ]);
    const quietUntil = now.getTime() + this.settings.noticeQuietSeconds * 1000;
    const isSoon = Math.min(before.startsAt.getTime(), startsAt.getTime()) < quietUntil;
    if (isSoon || this.settings.noticeQuietSeconds === 0) await writeEventChanged(tx, eventId, now);
  }
}

/**
 * When a change of a series moves its events to another place, writes one notice for each person concerned, not one for
 * each event (NOTE-12).
 */
@Injectable()
export class WriteSeriesChanged implements Reaction<OccurrencesMoved> {
  constructor(private readonly clock: Clock) {}

  async react(tx: Transaction, { moved }: OccurrencesMoved): Promise<void> {
    await tx.rows(WRITE_SERIES_CHANGED, [
      moved.map(({ eventId }) => eventId),
      moved.map(({ before }) => before.locationName),
      moved.map(({ before }) => before.locationAddress),
      moved.map(({ before }) => before.latitude),
      moved.map(({ before }) => before.longitude),
      this.clock.now(),
    ]);
  }
}

/**
 * Writes the notices about the collected changes of an event, deletes these changes, and returns the number of notices.
 * The calling code must have locked the event.
 *
 * - If the last collected change was made after `quietSince`, the function does nothing.
 * - If the event is over, cancelled or hidden, no notices are written. In this case, the changes are deleted only if
 *   `quietSince` is not null.
 */
export async function writeEventChanged(
  tx: Transaction,
  eventId: number,
  now: Date,
  quietSince: Date | null = null,
): Promise<number> {
  const [row] = await tx.rows<{ written: number }>(WRITE_EVENT_CHANGED, [eventId, now, quietSince]);
  return row?.written ?? 0;
}

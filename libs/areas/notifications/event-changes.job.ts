import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { lockEventForChange } from '../events/event-locks';
import { QUIET_EVENTS } from './event-changes.query';
import { writeEventChanged } from './event-changes';

const BATCH = 200;

/**
 * Writes the notices about changed times and places of events. The notices about an event are written when its time and
 * place have not changed for `NOTICE_QUIET_SECONDS` (NOTE-11). Each event has its own transaction.
 */
@Injectable()
export class EventChangesJob implements Job {
  readonly name = 'event-changes';
  readonly every = 'minute';

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const quietSince = new Date(now.getTime() - this.settings.noticeQuietSeconds * 1000);
    let written = 0;
    const events = await inBatches(BATCH, signal, async () => {
      const quiet = await this.database.rows<{ event_id: string }>(QUIET_EVENTS, [quietSince, BATCH]);
      await eachSeparately(quiet, signal, async ({ event_id }) => {
        written += await this.write(Number(event_id), quietSince, now);
      });
      return quiet.length;
    });
    return { events_settled: events, notices_written: written };
  }

  /**
   * Writes nothing if the time or place has changed again since `QUIET_EVENTS` was read. A later run then writes the
   * notices.
   */
  private write(eventId: number, quietSince: Date, now: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      await lockEventForChange(tx, eventId);
      return writeEventChanged(tx, eventId, now, quietSince);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { lockEventForChange } from '../events/event-locks';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { DUE_DIGESTS, STORE_DIGEST_TIME, TAKE_DIGEST } from './digests.query';
import type { Digest } from './record/participation.entity';

const BATCH = 200;

/**
 * Sends digests to organizers: notices of how many people joined an event, or its waitlist, since the last digest
 * (NOTE-16, NOTE-17). Each digest is written in its own transaction. The column `digest` of `participations` marks the
 * people whom no digest has counted yet. If such a person leaves, the mark is deleted.
 */
@Injectable()
export class JoinedDigestJob implements Job {
  readonly name = 'joined-digest';
  readonly every = '5 minutes';

  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsCommands,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    let written = 0;
    await inBatches(BATCH, signal, async () => {
      const due = await this.database.rows<{ event_id: string; digest: Digest }>(DUE_DIGESTS, [now, BATCH]);
      await eachSeparately(due, signal, async ({ event_id, digest }) => {
        if (await this.write(Number(event_id), digest, now)) written += 1;
      });
      return due.length;
    });
    return { digests_written: written };
  }

  /**
   * Deletes the marks of one digest and writes the digest. If the digest would count nobody, it is not written, and the
   * result is false.
   */
  private write(eventId: number, kind: Digest, now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await lockEventForChange(tx, eventId);
      const marks = await tx.rows<{ user_id: string; counted: boolean }>(TAKE_DIGEST, [eventId, kind, now]);
      const people = marks.filter(({ counted }) => counted).map(({ user_id }) => Number(user_id));
      if (people.length === 0) return false;
      await tx.rows(STORE_DIGEST_TIME, [eventId, kind, now]);
      await this.notifications.notifyOrganizer(tx, kind, { eventId, people });
      return true;
    });
  }
}

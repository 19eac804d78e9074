import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { MediaFiles } from '#platform/media/media-files';
import { DELETE_EXPIRED_PULS_POSTS, type PulsRow } from './puls.query';

const BATCH = 200;

/** Deletes expired posts with their files. They are hidden from the moment of expiry. */
@Injectable()
export class PulsExpireJob implements Job {
  readonly name = 'puls-expire';
  readonly every = '10 minutes';

  constructor(
    private readonly database: Database,
    private readonly files: MediaFiles,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    return { puls_removed: await inBatches(BATCH, signal, () => this.removeSome(now)) };
  }

  private async removeSome(now: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const removed = await tx.rows<Pick<PulsRow, 'imageKey' | 'videoKey'>>(DELETE_EXPIRED_PULS_POSTS, [now, BATCH]);
      await this.files.markForDeletion(
        tx,
        removed.flatMap(({ imageKey, videoKey }) => [imageKey, videoKey]).filter((key) => key !== null),
      );
      return removed.length;
    });
  }
}

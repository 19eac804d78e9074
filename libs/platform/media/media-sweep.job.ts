import { Injectable } from '@nestjs/common';
import type { Job, JobContext, JobResult } from '../jobs/job';
import { MediaSweep } from './media-sweep';

/**
 * Every hour, deletes files that are marked for deletion, and the files that interrupted work has left (`MediaSweep`).
 */
@Injectable()
export class MediaSweepJob implements Job {
  readonly name = 'media-sweep';
  readonly every = 'hour';

  constructor(private readonly media: MediaSweep) {}

  async run({ now }: JobContext): Promise<JobResult> {
    return { ...(await this.media.sweep(now)) };
  }
}

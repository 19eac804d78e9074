import type { Type } from '@nestjs/common';
import type { Job } from '#platform/jobs/job';
import { MediaSweep } from '#platform/media/media-sweep';

/** All scheduled jobs, in the order in which they run when several are due. */
export const JOBS: readonly Type<Job>[] = [MediaSweep];

import { sweepJob } from '#platform/jobs/sweep-job';
import { MediaFiles } from '#platform/media/media-files';
import { DELETE_EXPIRED_PULS_POSTS, type PulsRow } from './puls.query';

/**
 * Deletes expired posts with their files, except posts that a moderator removed (the job `removed-delete` deletes these
 * posts). No list or page shows expired posts, even if they are not deleted yet.
 */
export const PulsExpireJob = sweepJob({
  name: 'puls-expire',
  every: '10 minutes',
  size: 200,
  needs: MediaFiles,
  steps: [
    {
      counts: 'puls_removed',
      batch: async (tx, { now, size }, files) => {
        const deleted = await tx.rows<Pick<PulsRow, 'imageKey' | 'videoKey'>>(DELETE_EXPIRED_PULS_POSTS, [now, size]);
        const keys = deleted.flatMap(({ imageKey, videoKey }) => [imageKey, videoKey]).filter((key) => key !== null);
        await files.markForDeletion(tx, keys);
        return deleted;
      },
    },
  ],
});

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { WebhooksReader } from '#areas/webhooks/webhooks.reader';
import { startOfLastBackup } from '#platform/backup/last-backup';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { mailQueues } from '#platform/mail/mail-queues';
import { freeBytes } from '#platform/media/free-bytes';
import { Clock } from '#platform/time/clock';
import { certificateEnd } from './certificate';
import type { Reading } from './metrics';
import { cachedForAMinute } from './cached-for-a-minute';

/** The state of a queue of mails or of the queue of webhooks. */
interface QueueState {
  readonly queue: string;
  /** The number of unsent mails, or the number of webhooks that have something to send and wait for a process. */
  readonly waiting: number;
  /** The start of the longest wait; null if nothing waits. */
  readonly oldest: Date | null;
}

/**
 * Metrics of the whole installation. The last backup is read at each request of Prometheus; each server reads the other
 * metrics at most once a minute (OPS-126).
 */
export function installationReadings(app: NestFastifyApplication): readonly Reading[] {
  const [{ baseUrl, dataDir }, clock] = [app.get(Settings), app.get(Clock)];
  const address = new URL(baseUrl);
  const queues = cachedForAMinute(() => queuesOf(app));
  const freeSpace = cachedForAMinute(() => freeBytes(dataDir));
  const certificate = cachedForAMinute(() => certificateEnd(address));
  const feedDelay = cachedForAMinute(() => app.get(ChangeSequencer).delay());
  const readings: readonly Reading[] = [
    {
      name: 'queue_waiting',
      help: 'Mails that wait to be sent, and webhooks that have something to send and wait for a process, by queue.',
      labels: ['queue'],
      aggregator: 'max',
      read: async () => (await queues()).map(({ queue, waiting }) => [{ queue }, waiting]),
    },
    {
      name: 'queue_oldest_seconds',
      help: 'Seconds that the oldest mail or webhook message has waited, by queue.',
      labels: ['queue'],
      aggregator: 'max',
      read: async () => (await queues()).map(({ queue, oldest }) => [{ queue }, secondsSince(oldest, clock.now())]),
    },
    {
      name: 'data_dir_free_bytes',
      help: 'Free bytes of the disk of DATA_DIR.',
      aggregator: 'max',
      read: async () => [[{}, await freeSpace()]],
    },
    {
      name: 'backup_last_timestamp_seconds',
      help: 'Start time of the last backup that is recorded in DATA_DIR.',
      aggregator: 'max',
      read: async () => {
        const last = startOfLastBackup(dataDir);
        return last ? [[{}, last.getTime() / 1000]] : [];
      },
    },
    {
      name: 'certificate_end_timestamp_seconds',
      help: 'Time when the certificate of BASE_URL expires.',
      aggregator: 'max',
      read: async () => (address.protocol === 'https:' ? [[{}, (await certificate()).getTime() / 1000]] : []),
    },
    {
      name: 'changes_delay_seconds',
      help: 'Age in seconds of the oldest committed change that is not in the feed (`GET /changes`) yet.',
      aggregator: 'max',
      read: async () => [[{}, await feedDelay()]],
    },
  ];
  return readings;
}

async function queuesOf(app: NestFastifyApplication): Promise<readonly QueueState[]> {
  const mails = await mailQueues(app.get(Database));
  const webhooks = await app.get(WebhooksReader).queue(app.get(Clock).now());
  return [
    ...mails.map(({ queue, waiting, active, retrying, oldest }) => ({
      queue,
      waiting: waiting + active + retrying,
      oldest,
    })),
    ...(webhooks ? [{ queue: 'webhooks', ...webhooks }] : []),
  ];
}

function secondsSince(oldest: Date | null, now: Date): number {
  return oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000);
}

import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { Scratch } from '#platform/media/scratch';
import { Storage } from '#platform/storage/storage';
import { Clock } from '#platform/time/clock';
import { UsersReader } from '../identity/users.reader';
import { END_EXPORT, FORGET_EXPORT, STORE_PROGRESS, OLD_EXPORTS, NEXT_PENDING_EXPORT } from './data-exports.query';
import { Exporter } from './export/exporter';

const BATCH = 100;
/** Milliseconds after which the job looks for new requests while exports are running. */
const POLL_INTERVAL_MS = 1_000;

interface PendingExport {
  readonly id: string;
  readonly user_id: string;
  readonly file: string;
}

/**
 * Creates the requested exports, two at a time and at most one per account. Deletes expired exports, exports that a
 * newer request has replaced, and exports whose account was erased (DATA-4, DATA-6).
 */
@Injectable()
export class DataExportsJob implements Job {
  readonly name = 'data-exports';
  readonly every = 'minute';
  private readonly log = new Logger(DataExportsJob.name);

  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly exporter: Exporter,
    private readonly storage: Storage,
    private readonly scratch: Scratch,
    private readonly clock: Clock,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    // Exports are made first, so that a file that cannot be removed does not prevent new exports.
    const exports_made = await this.createExports(signal);
    return { exports_made, exports_deleted: await this.sweep(now, signal) };
  }

  /** Creates the requested exports. Returns the number of created exports. */
  private async createExports(signal: AbortSignal): Promise<number> {
    const running = new Set<Promise<void>>();
    let made = 0;
    try {
      for (let last = '0'; ;) {
        signal.throwIfAborted();
        const [next] =
          running.size < LIMITS.shares.exports.all
            ? await this.database.rows<PendingExport>(NEXT_PENDING_EXPORT, [last])
            : [];
        if (next) {
          last = next.id;
          const task = this.createExport(next, Number(next.user_id))
            .then((isMade) => {
              if (isMade) made++;
            })
            .catch((error: unknown) => this.log.error(error))
            .finally(() => running.delete(task));
          running.add(task);
        } else if (running.size === 0) return made;
        // While fewer exports than the limit are running, the loop looks for new requests at least every
        // POLL_INTERVAL_MS, so that a long export does not delay these requests.
        else await Promise.race([...running, pause(POLL_INTERVAL_MS)]);
      }
    } finally {
      await Promise.all(running);
    }
  }

  /**
   * Creates one export. Returns false if the account no longer exists, or if the export has failed. If the process ends
   * before the export is finished, the export remains pending. A later run then creates the export again with the same
   * file name.
   */
  private async createExport({ id, file }: PendingExport, userId: number): Promise<boolean> {
    try {
      const user = await this.users.byId(userId);
      if (!user) return false;
      const bytes = await this.scratch.during(async (folder) => {
        const path = join(folder, 'export.zip');
        const progress = async (done: number, total: number): Promise<void> =>
          void (await this.database.autocommit.rows(STORE_PROGRESS, [id, done, total]));
        await pipeline(this.exporter.archive(user, progress), createWriteStream(path, { mode: 0o600 }));
        await this.storage.write(file, path, 'application/zip');
        return (await stat(path)).size;
      });
      await this.database.autocommit.rows(END_EXPORT, [id, bytes, this.expiresAt()]);
      return true;
    } catch (error) {
      this.log.error(error);
      await this.database.autocommit.rows(END_EXPORT, [id, null, this.expiresAt()]);
      return false;
    }
  }

  /** An export is available for 7 days after it is finished, even if it was requested or begun long before (DATA-5). */
  private expiresAt(): Date {
    return new Date(this.clock.now().getTime() + LIMITS.own_data.export_kept * 1000);
  }

  /** The file is deleted before its row. Otherwise, after an interruption, a file without a row could remain. */
  private sweep(now: Date, signal: AbortSignal): Promise<number> {
    return inBatches(BATCH, signal, async () => {
      const old = await this.database.rows<{ id: string; file: string }>(OLD_EXPORTS, [now, BATCH]);
      await eachSeparately(old, signal, async ({ id, file }) => {
        await this.storage.remove(file);
        await this.database.autocommit.rows(FORGET_EXPORT, [id]);
      });
      return old.length;
    });
  }
}

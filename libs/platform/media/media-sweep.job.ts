import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { inBatches } from '../jobs/batches';
import type { Job, JobContext, JobResult } from '../jobs/job';
import { Storage } from '../storage/storage';
import { MARK_ABANDONED_FILES_FOR_DELETION, FILES_TO_DELETE, KNOWN_FILES } from './media-files.query';
import { MediaFiles } from './media-files';
import { DERIVED, keyOf, type MediaKey } from '../storage/media-key';
import { Scratch } from './scratch';

const MIN_AGE_MS = 60 * 60 * 1000;
const DERIVED_KEPT_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 200;

/**
 * Matches the names of stored media, also of incomplete media. All other files, except derived files, are ignored,
 * because a bucket can contain files of other programs.
 */
const OWN_FILE = /^[0-9a-f]{40}[-.]/;
/**
 * Matches the names of this service's files, among the incomplete files in the storage. Some names have a prefix, for
 * example the names of archives.
 */
const OWN_UNFINISHED_FILE = /^(?:[a-z]+-)?[0-9a-f]{40}[-.]/;

/**
 * Makes the stored files and their rows in the database agree again after an interruption. Servers may handle
 * requests while the sweep runs. Every hour, deletes:
 *
 * - files that are marked for deletion;
 * - files older than an hour that are abandoned (not marked as kept), have no row or are incomplete;
 * - working folders older than an hour;
 * - derived files (`DERIVED` in storage/media-key.ts) older than a day.
 */
@Injectable()
export class MediaSweepJob implements Job {
  readonly name = 'media-sweep';
  readonly every = 'hour';

  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly files: MediaFiles,
    private readonly scratch: Scratch,
  ) {}

  /**
   * All counts of the result are zero if rows and files agree and no work was interrupted:
   *
   * - `abandoned`: media that were stored, but were not marked as kept
   * - `removed`: media that were marked for deletion, and that the sweep has deleted
   * - `orphans`: files without a row, and incomplete files
   * - `scratch`: working folders of interrupted work
   */
  async run({ now, signal }: JobContext): Promise<JobResult> {
    const before = new Date(now.getTime() - MIN_AGE_MS);
    const abandoned = await inBatches(
      BATCH_SIZE,
      signal,
      async () =>
        (await this.database.outsideTransaction.rows(MARK_ABANDONED_FILES_FOR_DELETION, [before, now, BATCH_SIZE]))
          .length,
    );
    const removed = await this.removeMarked(signal);
    const orphans = await this.removeOrphans(before, new Date(now.getTime() - DERIVED_KEPT_MS), signal);
    return { abandoned, removed, orphans, scratch: await this.scratch.sweep(before) };
  }

  private async removeMarked(signal: AbortSignal): Promise<number> {
    let total = 0;
    let last: MediaKey = '';
    await inBatches(BATCH_SIZE, signal, async () => {
      const rows = await this.database.rows<{ key: MediaKey }>(FILES_TO_DELETE, [last, BATCH_SIZE]);
      const keys = rows.map(({ key }) => key);
      total += await this.files.remove(keys);
      last = keys.at(-1) ?? last;
      return keys.length;
    });
    return total;
  }

  private async removeOrphans(before: Date, derivedBefore: Date, signal: AbortSignal): Promise<number> {
    let total = 0;
    let batch: string[] = [];
    for await (const { name, modifiedAt } of this.storage.list()) {
      signal.throwIfAborted();
      if (name.startsWith(DERIVED) && modifiedAt < derivedBefore) await this.storage.remove(name);
      if (modifiedAt >= before || !OWN_FILE.test(name)) continue;
      batch.push(name);
      if (batch.length < BATCH_SIZE) continue;
      total += await this.removeUnknown(batch);
      batch = [];
    }
    return (
      total +
      (await this.removeUnknown(batch)) +
      (await this.storage.removeUnfinished(before, (name) => OWN_UNFINISHED_FILE.test(name)))
    );
  }

  private async removeUnknown(names: readonly string[]): Promise<number> {
    const keys = names.map(keyOf).filter((key) => key !== null);
    const rows = keys.length ? await this.database.rows<{ key: MediaKey }>(KNOWN_FILES, [keys]) : [];
    const known = new Set<string | null>(rows.map(({ key }) => key));
    const orphans = names.filter((name) => !known.has(keyOf(name)));
    for (const name of orphans) await this.storage.remove(name);
    return orphans.length;
  }
}

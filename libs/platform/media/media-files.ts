import { stat } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { isDryRun } from '../context/current-request';
import { Database, type Transaction } from '../database/database';
import { Refusal } from '../http/refusal';
import { Storage } from '../storage/storage';
import { Clock } from '../time/clock';
import { contentTypeOf, filesOf, newMediaKey, type MediaExtension, type MediaKey } from '../storage/media-key';
import {
  ADD_PENDING_FILE,
  FORGET_FILE,
  IS_OUT_OF_SIGHT,
  KEEP_FILES,
  MARK_FILES_FOR_DELETION,
  MARK_PENDING_FILES_FOR_DELETION,
  SERVED_FILES,
} from './media-files.query';

/** Two local files that are ready to be stored: a picture with its thumbnail, or a video with its poster. */
type NewMedia = { readonly extension: MediaExtension; readonly path: string } & (
  { readonly thumbPath: string } | { readonly posterPath: string }
);

/** A medium, with the key under which its two files are stored. */
export type Stored<Media> = Media & { readonly key: MediaKey };

/**
 * Every stored medium has a row in `media_files` (WIRE-48). The row is inserted before the files are written
 * (`pending`). A transaction that writes a reference to the medium also marks the row as `kept`. A transaction that
 * removes the reference marks the row as `doomed`, and the files are deleted after the commit. The sweep finishes
 * interrupted steps (media-sweep.job.ts).
 */
@Injectable()
export class MediaFiles {
  private readonly log = new Logger(MediaFiles.name);

  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the media, and calls `work` with the stored media. `work` must call `keep` in its transaction. If storing or
   * `work` fails, the media whose rows are not marked as `kept` are deleted.
   */
  async withStored<Media extends NewMedia, T>(
    media: readonly Media[],
    work: (stored: Stored<Media>[]) => Promise<T>,
  ): Promise<T> {
    const stored: Stored<Media>[] = [];
    try {
      for (const one of media) stored.push({ ...one, key: await this.store(one) });
      return await work(stored);
    } catch (error) {
      await this.discard(stored.map(({ key }) => key));
      throw error;
    }
  }

  /**
   * Inserts the row, then writes the files. If `keep` is not called within an hour, the sweep deletes the files. In a
   * dry run, this method only returns a key, and `keep` inserts the row.
   */
  async store(media: NewMedia): Promise<MediaKey> {
    const key = newMediaKey(media.extension);
    if (isDryRun()) return key;
    const paths = [media.path, companionPathOf(media)] as const;
    const bytes = (await stat(paths[0])).size + (await stat(paths[1])).size;
    await this.database.outsideTransaction.rows(ADD_PENDING_FILE, [key, kindOf(key), bytes, this.clock.now()]);
    try {
      for (const [i, file] of filesOf(key).entries())
        await this.storage.write(file, paths[i] as string, contentTypeOf(file) as string);
    } catch (error) {
      await this.discard([key]);
      throw error;
    }
    return key;
  }

  /**
   * Marks media as `kept`, in the transaction that writes the references to them. Throws if a medium is not pending,
   * for example because the sweep has marked it for deletion.
   */
  async keep(tx: Transaction, keys: readonly MediaKey[]): Promise<void> {
    if (isDryRun()) for (const key of keys) await tx.rows(ADD_PENDING_FILE, [key, kindOf(key), 0, this.clock.now()]);
    const keptRows = await tx.rows(KEEP_FILES, [keys]);
    if (keptRows.length !== new Set(keys).size) throw new Error('a stored file was swept before it was kept');
  }

  /**
   * Marks files for deletion, in the transaction that removes the references to them. The files are deleted after the
   * commit. After a rollback they remain.
   */
  async markForDeletion(tx: Transaction, keys: readonly MediaKey[]): Promise<void> {
    if (keys.length === 0) return;
    await tx.rows(MARK_FILES_FOR_DELETION, [keys, this.clock.now()]);
    tx.afterCommit(async () => {
      await this.remove(keys);
    });
  }

  /** Throws 404 `not_found` if the file belongs only to removed or hidden content. Such a file is not served. */
  async refuseOutOfSight(key: MediaKey): Promise<void> {
    const [row] = await this.database.rows<{ hidden: boolean }>(IS_OUT_OF_SIGHT, [key]);
    if (row?.hidden) throw new Refusal('not_found');
  }

  /** Returns those of the keys whose files are served, because they are neither hidden nor deleted. */
  async servedOf(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = keys.length === 0 ? [] : await this.database.rows<{ key: string }>(SERVED_FILES, [keys]);
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * After a failure, deletes the stored media that are not marked as `kept`. Never throws; the sweep deletes files that
   * could not be deleted.
   */
  async discard(keys: readonly MediaKey[]): Promise<void> {
    if (keys.length === 0 || isDryRun()) return;
    try {
      await this.database.outsideTransaction.rows(MARK_PENDING_FILES_FOR_DELETION, [keys, this.clock.now()]);
      await this.remove(keys);
    } catch (error) {
      this.log.warn(error);
    }
  }

  /**
   * Deletes rows marked as `doomed` with their files. Returns the number of rows whose files were all deleted. A row is
   * deleted before its files. If a row of another table still refers to the key, the database refuses the deletion, and
   * the files remain. If the deletion of a file fails, the sweep later finds the file without a row. Never throws.
   */
  async remove(keys: readonly MediaKey[]): Promise<number> {
    let removed = 0;
    for (const key of keys) {
      try {
        const [forgotten] = await this.database.outsideTransaction.rows(FORGET_FILE, [key]);
        if (!forgotten) continue;
        for (const file of filesOf(key)) await this.storage.remove(file);
        removed++;
      } catch (error) {
        this.log.warn(error);
      }
    }
    return removed;
  }
}

function kindOf(key: MediaKey): 'video' | 'picture' {
  return key.endsWith('.mp4') ? 'video' : 'picture';
}

function companionPathOf(media: NewMedia): string {
  return 'thumbPath' in media ? media.thumbPath : media.posterPath;
}

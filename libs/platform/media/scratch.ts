import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ServiceBusy } from '../capacity/service-busy';
import { OWN_PREFIX, ownerIsDead } from '../workers/work-owner';
import { freeBytes } from './free-bytes';

/** Bytes that must remain free on the disk, for the database and the logs. */
const MIN_FREE_BYTES = 64 * 2 ** 20;
/** `Retry-After` in seconds. After this time, an operator may have freed space. */
const RETRY_AFTER_SECONDS = 60;
/** Maximum milliseconds that a stopping server waits for work in progress after it has closed the connections. */
const SHUTDOWN_GRACE_MS = 1_000;

/** Reserved space on the disk, which decreases while bytes are written. */
export interface Reservation {
  /** Removes written bytes from the reservation. */
  written(bytes: number): void;
}

/**
 * The folder `DATA_DIR/tmp`. Each piece of work with files has its own subfolder, which is deleted when the work ends.
 */
export class Scratch implements OnApplicationShutdown {
  /** The folders of work in progress. */
  private readonly openFolders = new Set<string>();
  /** Bytes that are reserved and not written yet. */
  private reservedBytes = 0;

  constructor(private readonly folder: string) {}

  /**
   * Runs the work with a new folder. The folder and its contents are deleted after the work, also after a failure.
   *
   * @throws ServiceBusy if the disk is full before the work begins. If the work fails while the disk is full,
   * ServiceBusy replaces the error of the work, because a decoder or encoder does not report the reason.
   */
  async during<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true });
    await this.refuseWhenFull();
    const workFolder = await mkdtemp(join(this.folder, OWN_PREFIX));
    this.openFolders.add(workFolder);
    try {
      return await work(workFolder);
    } catch (error) {
      await this.refuseWhenFull();
      throw error;
    } finally {
      await rm(workFolder, { recursive: true, force: true, maxRetries: 3 });
      this.openFolders.delete(workFolder);
    }
  }

  /**
   * Runs the work with reserved disk space. A check of the free space would not be enough: a hundred requests could
   * pass the check, because there is room for each of them alone, and together they would fill the disk.
   *
   * @throws ServiceBusy if there is not enough unreserved space
   */
  async reserving<T>(bytes: number, work: (reservation: Reservation) => Promise<T>): Promise<T> {
    const free = await freeBytes(this.folder);
    // There is no `await` between the check and the reservation, so two calls cannot reserve the same space.
    if (free - this.reservedBytes - bytes < MIN_FREE_BYTES) throw diskFull();
    let remaining = bytes;
    const release = (count: number) => {
      const released = Math.min(remaining, count);
      remaining -= released;
      this.reservedBytes -= released;
    };
    this.reservedBytes += bytes;
    try {
      return await work({ written: release });
    } finally {
      release(remaining);
    }
  }

  /**
   * Deletes the folders of processes that have died. Returns the number of deleted folders. A server calls this method
   * when it starts; other servers may be running then.
   */
  async removeFoldersOfDeadProcesses(): Promise<number> {
    return this.removeIf((name) => ownerIsDead(name));
  }

  /**
   * Deletes the folders that were last modified before this time, also folders of other processes. Returns the number
   * of deleted folders.
   */
  async sweep(before: Date): Promise<number> {
    return this.removeIf(async (_name, path) => {
      const found = await stat(path).catch(() => null);
      return found !== null && found.mtime < before;
    });
  }

  /**
   * Runs after the last connection was closed. Waits at most a second for unfinished work, and then deletes the folders
   * of this work, because the process is about to end.
   */
  async onApplicationShutdown(): Promise<void> {
    const until = performance.now() + SHUTDOWN_GRACE_MS;
    while (this.openFolders.size > 0 && performance.now() < until) await pause(20);
    for (const path of this.openFolders) rmSync(path, { recursive: true, force: true });
  }

  private async removeIf(condition: (name: string, path: string) => boolean | Promise<boolean>): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      if (!(await condition(name, path))) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
    return removed;
  }

  private async refuseWhenFull(): Promise<void> {
    if ((await freeBytes(this.folder)) < MIN_FREE_BYTES) throw diskFull();
  }
}

function diskFull(): ServiceBusy {
  return new ServiceBusy(RETRY_AFTER_SECONDS, { key: 'files_unavailable' });
}

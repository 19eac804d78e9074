import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ServiceBusy } from '../capacity/service-busy';
import { OWN_PREFIX, ownerIsDead } from './work-owner';

/** Bytes of the disk reserved for the database and the logs. */
const RESERVE = 64 * 2 ** 20;
/** Seconds until a retry is useful: an operator may have freed space. */
const UNTIL_ROOM = 60;
/** Milliseconds for work whose connection was closed by the stopping server to notice it. */
const LAST_MS = 1_000;

/** Reserved bytes of the disk, until they are written. */
export interface Reservation {
  /** Counts reserved bytes as written. */
  written(bytes: number): void;
}

/** `DATA_DIR/tmp`: a folder for each piece of work with files, deleted with its end. */
export class Scratch implements OnApplicationShutdown {
  /** Folders of work in progress. */
  private readonly open = new Set<string>();
  /** Reserved bytes that are not written yet. */
  private promised = 0;

  constructor(private readonly folder: string) {}

  /**
   * Runs the work with a new folder, which is deleted with all its contents in any case.
   * @throws ServiceBusy if the disk is full: before the work begins, and instead of the error of a decoder or encoder
   * that ran out of space
   */
  async during<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true });
    await this.refuseWhenFull();
    const own = await mkdtemp(join(this.folder, OWN_PREFIX));
    this.open.add(own);
    try {
      return await work(own);
    } catch (error) {
      await this.refuseWhenFull();
      throw error;
    } finally {
      await rm(own, { recursive: true, force: true, maxRetries: 3 });
      this.open.delete(own);
    }
  }

  /**
   * Runs the work with reserved disk space. A check alone would not be enough: a hundred bodies would start while there
   * is room for each of them, and fill the disk together.
   * @throws ServiceBusy if there is not enough unreserved space
   */
  async reserving<T>(bytes: number, work: (room: Reservation) => Promise<T>): Promise<T> {
    const free = await this.freeBytes();
    // No await between the check and the reservation, so two calls cannot both take the last room.
    if (free - this.promised - bytes < RESERVE) throw noRoom();
    let left = bytes;
    const take = (count: number) => {
      const taken = Math.min(left, count);
      left -= taken;
      this.promised -= taken;
    };
    this.promised += bytes;
    try {
      return await work({ written: take });
    } finally {
      take(left);
    }
  }

  /**
   * Deletes the folders of processes that have died; returns their number. Called at the start, while other servers may
   * be running.
   */
  async removeDead(): Promise<number> {
    return this.removeIf((name) => ownerIsDead(name));
  }

  /** Deletes folders last modified before the time, of any process; returns their number. */
  async sweep(before: Date): Promise<number> {
    return this.removeIf(async (_name, path) => {
      const found = await stat(path).catch(() => null);
      return found !== null && found.mtime < before;
    });
  }

  /**
   * Runs after the last connection has closed: the process ends in a moment, and unfinished work would leave its
   * folder.
   */
  async onApplicationShutdown(): Promise<void> {
    const until = performance.now() + LAST_MS;
    while (this.open.size > 0 && performance.now() < until) await pause(20);
    for (const path of this.open) rmSync(path, { recursive: true, force: true });
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
    if ((await this.freeBytes()) < RESERVE) throw noRoom();
  }

  private async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }
}

function noRoom(): ServiceBusy {
  return new ServiceBusy(UNTIL_ROOM, { key: 'files_unavailable' });
}

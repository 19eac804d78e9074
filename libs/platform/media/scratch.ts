import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ServiceBusy } from '../capacity/service-busy';
import { OWN_PREFIX, ownerIsDead } from './work-owner';

/** Bytes of the disk that are left to the database and the logs. */
const RESERVE = 64 * 2 ** 20;
/** Seconds after which it is worth looking whether an operator has made room. */
const UNTIL_ROOM = 60;
/** Milliseconds for work whose connection was cut by the end of the server to notice it. */
const LAST_MS = 1_000;

/** Room on the disk that was promised to somebody, until the bytes are there. */
export interface Reservation {
  /** So many of the promised bytes have been written. */
  written(bytes: number): void;
}

/** `DATA_DIR/tmp`: a folder for each piece of work with files, gone with the work. */
export class Scratch implements OnApplicationShutdown {
  /** Folders of work that goes on. */
  private readonly open = new Set<string>();
  /** Bytes that were promised and are not yet on the disk. */
  private promised = 0;

  constructor(private readonly folder: string) {}

  /**
   * Does the work with a folder of its own, and removes the folder with everything in it, whatever happens.
   * @throws ServiceBusy when the disk is full: before the work begins, and in place of whatever a decoder or an encoder
   *   says that ran out of room
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
   * Does the work with so many bytes of the disk set aside for it. Looking alone would not do: a hundred bodies begin where there is
   * room for each of them, and fill the disk together.
   * @throws ServiceBusy when there is no room for it beside what others were promised
   */
  async reserving<T>(bytes: number, work: (room: Reservation) => Promise<T>): Promise<T> {
    const free = await this.freeBytes();
    // Nothing is awaited from here to the promise, so two at once cannot both take the last of it.
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

  /** Removes what processes left behind that are dead; says how many folders. At the start, beside other servers that live. */
  async removeDead(): Promise<number> {
    return this.removeIf((name) => ownerIsDead(name));
  }

  /** Removes folders last touched before the time, whoever left them; says how many. */
  async sweep(before: Date): Promise<number> {
    return this.removeIf(async (_name, path) => {
      const found = await stat(path).catch(() => null);
      return found !== null && found.mtime < before;
    });
  }

  /** After the last connection: the process ends in a moment, and what is still at work would leave its folder. */
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

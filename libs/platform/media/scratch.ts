import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceBusy } from '../http/service-busy';

/** Bytes of the disk that are left to the database and the logs. */
const RESERVE = 64 * 2 ** 20;
/** Seconds after which it is worth looking whether an operator has made room. */
const UNTIL_ROOM = 60;

/** `DATA_DIR/tmp`: a folder for each piece of work with files, gone with the work. */
export class Scratch {
  constructor(private readonly folder: string) {}

  /**
   * Does the work with a folder of its own, and removes the folder with everything in it, whatever happens.
   * @throws ServiceBusy when the disk is full: before the work begins, and in place of whatever a decoder or an encoder
   *   says that ran out of room
   */
  async during<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true });
    await this.refuseWhenFull();
    const own = await mkdtemp(join(this.folder, 'work-'));
    try {
      return await work(own);
    } catch (error) {
      await this.refuseWhenFull();
      throw error;
    } finally {
      await rm(own, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  private async refuseWhenFull(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < RESERVE) throw new ServiceBusy(UNTIL_ROOM, { key: 'files_unavailable' });
  }

  /** Removes folders that a killed process left behind, last touched before the time; says how many. */
  async sweep(before: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (!found || found.mtime >= before) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
    return removed;
  }
}

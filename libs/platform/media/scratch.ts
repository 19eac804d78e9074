import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** `DATA_DIR/tmp`: a folder for each piece of work with files, gone with the work. */
export class Scratch {
  constructor(private readonly folder: string) {}

  /** Does the work with a folder of its own, and removes the folder with everything in it, whatever happens. */
  async during<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true });
    const own = await mkdtemp(join(this.folder, 'work-'));
    try {
      return await work(own);
    } finally {
      await rm(own, { recursive: true, force: true, maxRetries: 3 });
    }
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

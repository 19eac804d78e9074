import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Storage, storedName, type ByteRange, type ListedFile } from './storage';

/** Files in a folder. The first two characters of a file's name select its subfolder. */
export class LocalStorage extends Storage {
  constructor(private readonly folder: string) {
    super();
  }

  /**
   * Copies the file under a temporary name, syncs the copy and then renames it. Therefore `name` never refers to an
   * incomplete file, even after a crash.
   */
  async write(name: string, path: string): Promise<void> {
    const target = this.pathOf(name);
    const folder = this.folderOf(name);
    const part = join(folder, `${name}.${randomBytes(6).toString('hex')}.part`);
    if (await mkdir(folder, { recursive: true })) await sync(this.folder);
    try {
      await copyFile(path, part, constants.COPYFILE_FICLONE);
      await sync(part);
      await rename(part, target);
      await sync(folder);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async size(name: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(name))).size;
    } catch (error) {
      return absentOrThrow(error);
    }
  }

  async read(name: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(name), 'r');
      return file.createReadStream(range ? { start: range.start, end: range.end } : {});
    } catch (error) {
      return absentOrThrow(error);
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  async *list(): AsyncIterable<ListedFile> {
    for await (const folder of entriesOf(this.folder)) {
      if (!folder.isDirectory()) continue;
      for await (const file of entriesOf(join(this.folder, folder.name))) {
        const found = await stat(join(this.folder, folder.name, file.name)).catch(absentOrThrow);
        if (found?.isFile()) yield { name: file.name, modifiedAt: found.mtime };
      }
    }
  }

  private folderOf(name: string): string {
    return join(this.folder, storedName(name).slice(0, 2));
  }

  private pathOf(name: string): string {
    return join(this.folderOf(name), name);
  }
}

async function* entriesOf(folder: string): AsyncGenerator<{ name: string; isDirectory(): boolean }> {
  const directory = await opendir(folder).catch(absentOrThrow);
  if (directory) yield* directory;
}

/**
 * Syncs a file or a folder. Without the sync, a power failure could lose the content of the file or the new subfolder,
 * or undo the rename in the folder, although the write was confirmed.
 */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function absentOrThrow(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { OperatorError } from '../config/operator-error';
import { backupInto, type BackupContents, type BackupSource } from './backup';

/** An archive that was written completely. */
export interface WrittenBackup extends BackupContents {
  readonly file: string;
  readonly bytes: number;
}

/** Where archives are stored: a folder, or a prefix of a bucket. */
export interface Archives {
  /** Writes an archive. If the backup fails, no part of the archive remains. */
  backup(source: BackupSource, now: Date, progress: (line: string) => void): Promise<WrittenBackup>;
  /**
   * The names of the complete archives, oldest first. The order follows from the names, which contain the time of the
   * backup.
   */
  names(): Promise<readonly string[]>;
  /** The path of an archive: the folder, or the bucket and the prefix, followed by the name. */
  pathOf(name: string): string;
  open(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}

const ARCHIVE = /^events-\d{8}T\d{6}Z(?:-[0-9a-f]{8})?\.tar$/;

/** Returns the names that have the form of an archive's name, oldest first. */
export function archivesIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => ARCHIVE.test(name)).sort();
}

/** Deletes all archives except the `count` newest ones; returns the paths of the deleted archives. */
export async function keepNewest(archives: Archives, count: number): Promise<string[]> {
  const names = await archives.names();
  const old = names.slice(0, Math.max(0, names.length - count));
  for (const name of old) await archives.remove(name);
  return old.map((name) => archives.pathOf(name));
}

/** The name of the newest archive. Throws `OperatorError` if there is no archive. */
export async function newestOf(archives: Archives): Promise<string> {
  const newest = (await archives.names()).at(-1);
  if (newest === undefined) throw new OperatorError(`There is no backup in ${archives.pathOf('')}.`);
  return newest;
}

/** Archives in a folder. */
export class FolderArchives implements Archives {
  constructor(private readonly folder: string) {}

  backup(source: BackupSource, now: Date, progress: (line: string) => void): Promise<WrittenBackup> {
    return backupInto(this.folder, source, now, progress);
  }

  async names(): Promise<readonly string[]> {
    return archivesIn(readdirSync(this.folder));
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  async open(name: string): Promise<Readable> {
    const path = this.pathOf(name);
    if (!statSync(path, { throwIfNoEntry: false })) throw new OperatorError(`There is no ${path}.`);
    return createReadStream(path);
  }

  async remove(name: string): Promise<void> {
    // Another backup may have deleted the archive at the same time.
    rmSync(this.pathOf(name), { force: true });
  }
}

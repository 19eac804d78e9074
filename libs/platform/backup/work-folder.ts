import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_PREFIX, ownerIsDead } from '../workers/work-owner';

/**
 * A part of the names of the folders for archives. This part distinguishes the folders from files of other programs in
 * the same parent folder.
 */
const NAME_PART = 'events-archive-';

/**
 * Creates a folder for tables and files of an archive. Before that, this function removes the folders that killed
 * processes of this machine have left, because these folders contain personal data. The caller removes the new folder.
 */
export async function makeWorkFolder(): Promise<string> {
  for (const name of await readdir(tmpdir()))
    if (name.includes(`-${NAME_PART}`) && ownerIsDead(name))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  return mkdtemp(join(tmpdir(), OWN_PREFIX + NAME_PART));
}

import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from './startup-error';

/**
 * Creates DATA_DIR if it does not exist, and makes sure that it is a folder that this process may read and write.
 * @throws StartupError with a message of one line
 */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(
      `DATA_DIR cannot be used: ${(error as Error).message}. Set it to a folder that this user may write to.`,
    );
  }
}

/**
 * Creates the folder and its parents, without Node's recursive `mkdir`. Node's function never ends below a folder that
 * cannot contain folders, such as /proc, and its error messages name a wrong cause.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!isFolder(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // If the folder exists now, another process has created it at the same time.
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
  }
}

/**
 * The metadata of the file or folder at the path; undefined if nothing exists there, or if a parent of the path is a
 * file.
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

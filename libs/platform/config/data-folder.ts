import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from './startup-error';

/**
 * Makes sure that DATA_DIR is there and can be written to.
 * @throws StartupError in one line
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

/** As `mkdir -p`. Node's own runs for ever below a folder that takes none, like /proc, and names another reason. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!isFolder(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another start was faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

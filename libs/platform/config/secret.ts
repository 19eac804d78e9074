import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder';
import { StartupError } from './startup-error';

/**
 * The secret in `DATA_DIR/secret`, made at the first start. Of two first starts at once both get the same one:
 * the file appears whole, by a link, and never replaces another.
 * @throws StartupError when the folder cannot be read or written
 */
export function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  try {
    return readSecret(path) ?? makeSecret(dataDir, path);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The secret in DATA_DIR cannot be read or made: ${(error as Error).message}`);
  }
}

function makeSecret(dataDir: string, path: string): string {
  makeDataFolder(dataDir);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(path) ?? '';
}

function readSecret(path: string): string | null {
  let secret: string;
  try {
    secret = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  // An empty secret would make every id and every stored join password guessable.
  if (secret.length < 32) throw new StartupError(`${path} is damaged: it must hold 32 characters or more. Restore it from a backup, or remove it.`);
  return secret;
}

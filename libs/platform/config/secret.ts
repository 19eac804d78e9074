import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder';
import { StartupError } from './startup-error';

/**
 * Returns the secret in `DATA_DIR/secret`. The first start creates this file. If two processes start for the first time
 * simultaneously, they get the same secret: the file is created atomically by a link, which never replaces another
 * file.
 *
 * @throws StartupError if the folder cannot be read or written, or if the stored secret is damaged
 */
export function readOrMakeSecret(dataDir: string): string {
  const path = pathOf(dataDir);
  try {
    const stored = readSecret(path);
    if (stored !== null) return stored;
    makeDataFolder(dataDir);
    return makeSecret(path);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The secret in DATA_DIR cannot be read or created: ${(error as Error).message}`);
  }
}

/**
 * Returns the secret in DATA_DIR; null if there is none. Does not create a secret.
 *
 * @throws StartupError if the stored secret is damaged
 */
export function storedSecret(dataDir: string): string | null {
  return readSecret(pathOf(dataDir));
}

/** A random secret of 256 bits. */
export function freshSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the new secret for a rotation. The new secret is stored next to the current secret before any text is
 * encrypted with the new secret. So an interrupted rotation loses no text, and the next run of the command uses the
 * same new secret.
 */
export function nextSecret(dataDir: string): string {
  return readSecret(nextPathOf(dataDir)) ?? makeSecret(nextPathOf(dataDir));
}

/** Replaces the current secret in DATA_DIR by the secret that `nextSecret` has stored. */
export function adoptNextSecret(dataDir: string): void {
  renameSync(nextPathOf(dataDir), pathOf(dataDir));
}

/**
 * Writes a file atomically. Only the owner of the file can read it. Returns false if the file already exists; the file
 * is then not changed.
 */
export function writeOwnFile(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'secret');
}

function nextPathOf(dataDir: string): string {
  return join(dataDir, 'secret.next');
}

function makeSecret(path: string): string {
  writeOwnFile(path, `${freshSecret()}\n`);
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
  // With an empty or short secret, every id and every stored password for joining an event could be guessed.
  if (secret.length < 32)
    throw new StartupError(
      `${path} is damaged: it must contain 32 characters or more. Restore this file from a backup: without the secret, no id and no encrypted text can be read.`,
    );
  return secret;
}

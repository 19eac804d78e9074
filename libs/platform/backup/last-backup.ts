import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'last-backup';

/** Writes the start time of a completed backup to DATA_DIR. `doctor` and the metrics read it. */
export function recordBackup(dataDir: string, at: Date): void {
  const temporaryFile = join(dataDir, `.${FILE}.${process.pid}`);
  try {
    writeFileSync(temporaryFile, `${at.toISOString()}\n`, { mode: 0o600 });
    renameSync(temporaryFile, join(dataDir, FILE));
  } finally {
    // If the disk is full, the temporary file would otherwise remain.
    rmSync(temporaryFile, { force: true });
  }
}

/** The time when the last recorded backup began; null if no readable time is recorded. */
export function startOfLastBackup(dataDir: string): Date | null {
  try {
    const at = new Date(readFileSync(join(dataDir, FILE), 'utf8').trim());
    return Number.isNaN(at.getTime()) ? null : at;
  } catch {
    return null;
  }
}

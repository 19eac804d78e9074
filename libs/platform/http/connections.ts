import { readFileSync } from 'node:fs';

/** File handles that are reserved for other uses: connections to the database, files, pipes of ffmpeg. */
const RESERVED = 128;
const MOST = 10_000;
const FEWEST = 64;

/** The maximum number of open connections: the number of files that the process may open, minus the reserve. */
export function mostConnections(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? MOST : Math.min(MOST, Math.max(FEWEST, Number(soft) - RESERVED));
}

/** This file exists only on Linux. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

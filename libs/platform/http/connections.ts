import { readFileSync } from 'node:fs';

/** File handles for other uses: connections to the database, files, pipes of ffmpeg. */
const RESERVED = 128;
const MOST = 10_000;
const FEWEST = 64;

/** The maximum number of open connections: the process's limit of open files less a reserve. */
export function mostConnections(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? MOST : Math.min(MOST, Math.max(FEWEST, Number(soft) - RESERVED));
}

/** Linux only; elsewhere the file does not exist. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

import { readFileSync } from 'node:fs';

/** What a process needs beside its connections: the database's, files, pipes of ffmpeg. */
const RESERVED = 128;
const MOST = 10_000;
const FEWEST = 64;

/** How many connections the server keeps at once: as many as the process may have open files, and some left for the work itself. */
export function mostConnections(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? MOST : Math.min(MOST, Math.max(FEWEST, Number(soft) - RESERVED));
}

/** Of Linux; elsewhere there is no such file. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

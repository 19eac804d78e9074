import { readFileSync } from 'node:fs';

/** File handles that are reserved for the database, for files and for pipes of ffmpeg. */
const RESERVED = 128;
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 64;

/**
 * The maximum number of open connections: the number of files that the process can open, minus the reserve, within the
 * two limits above. MAX_CONNECTIONS if the number of files is unknown.
 */
export function maxConnections(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, Number(soft) - RESERVED));
}

/** Returns the limits of this process; an empty text on systems without this file, such as macOS. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

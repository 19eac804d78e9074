import { readFileSync } from 'node:fs';

/** File handles that are reserved for the database, for files and for pipes of ffmpeg. */
const RESERVED = 128;
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 64;

/**
 * Returns the maximum number of open connections: the number of files that the process can open minus RESERVED, but at
 * least MIN_CONNECTIONS and at most MAX_CONNECTIONS. If the number of files is unknown or unlimited, returns
 * MAX_CONNECTIONS.
 */
export function maxConnections(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, Number(soft) - RESERVED));
}

/** Returns the limits of this process; an empty text on systems without `/proc`, such as macOS. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from './is-alive';

/** A process that creates working folders. The names of the folders contain these values. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /**
   * The process's start time in ticks since the start of the machine; 0 if the system does not provide it. The start
   * time distinguishes the process from a later process with the same id.
   */
  readonly started: number;
}

const SELF: Owner = {
  host: hostname()
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '_'),
  pid: process.pid,
  started: startOf(process.pid) ?? 0,
};

/** The prefix of this process's folders: `work-HOST-PID-START-`. */
export const OWN_PREFIX = `work-${SELF.host}-${SELF.pid}-${SELF.started}-`;

/**
 * Whether the process that created the folder has certainly died. False for a process on another machine or in another
 * container (the host names differ), because its state is unknown. `Scratch.sweep` later deletes old folders of such a
 * process in `DATA_DIR/tmp`.
 */
export function ownerIsDead(folder: string): boolean {
  const found = /^work-(?<host>[a-z0-9._]+)-(?<pid>\d+)-(?<started>\d+)-/.exec(folder)?.groups;
  if (found === undefined || found['host'] !== SELF.host) return false;
  const [pid, started] = [Number(found['pid']), Number(found['started'])];
  return !isAlive(pid) || startOf(pid) !== (started === 0 ? null : started);
}

/**
 * Returns the start time: field 22 of /proc/PID/stat. Field 2, the program's name, may contain any text, so fields are
 * counted after its closing parenthesis. Returns null if the process or /proc does not exist.
 */
function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return null;
  }
}

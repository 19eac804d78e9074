import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '#platform/config/environment';

const STDIN = 0;

/** Where a command is asked and answers: the process's own streams and settings, or those of whoever runs several commands in one process. */
export interface Terminal {
  readonly environment: Environment;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Everything on stdin, at once. */
  readStdin(): string;
  exitCode: number;
  /** Who runs the command, for the audit log; set before the command begins. */
  operator: string;
}

class ProcessTerminal implements Terminal {
  readonly environment = process.env;
  readonly stdout = process.stdout;
  readonly stderr = process.stderr;
  exitCode = 0;
  operator = '';

  /** Opened by who asks for it alone: an open stdin keeps the process. */
  get stdin(): Readable {
    return process.stdin;
  }

  readStdin(): string {
    return readFileSync(STDIN, 'utf8');
  }
}

const own = new ProcessTerminal();
const others = new AsyncLocalStorage<Terminal>();

/** That of the command which is running. */
export function terminal(): Terminal {
  return others.getStore() ?? own;
}

export function atTerminal<T>(other: Terminal, work: () => Promise<T>): Promise<T> {
  return others.run(other, work);
}

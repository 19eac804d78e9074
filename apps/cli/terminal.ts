import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '#platform/config/environment';

const STDIN = 0;

/**
 * The input, output and environment of a command: by default those of the process. A caller that runs several commands
 * in one process passes its own `Terminal` to `withTerminal`.
 */
export interface Terminal {
  readonly environment: Environment;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Reads all of stdin. */
  readStdin(): Buffer;
  exitCode: number;
  /** The operator's name for the audit log; set before the command begins. */
  operator: string;
}

class ProcessTerminal implements Terminal {
  readonly environment = process.env;
  readonly stdout = process.stdout;
  readonly stderr = process.stderr;
  exitCode = 0;
  operator = '';

  /** Stdin is opened on first use, because an open stdin keeps the process running. */
  get stdin(): Readable {
    return process.stdin;
  }

  readStdin(): Buffer {
    return readFileSync(STDIN);
  }
}

const processTerminal = new ProcessTerminal();
const replacements = new AsyncLocalStorage<Terminal>();

/** The terminal of the running command. */
export function terminal(): Terminal {
  return replacements.getStore() ?? processTerminal;
}

/** Runs the work with this terminal instead of the terminal of the process. */
export function withTerminal<T>(replacement: Terminal, work: () => Promise<T>): Promise<T> {
  return replacements.run(replacement, work);
}

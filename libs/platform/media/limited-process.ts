import { spawn, type ChildProcess } from 'node:child_process';

/** Limits of a child process. */
export interface ProcessLimits {
  /** Seconds of processor time. The operating system enforces this limit. */
  readonly cpu: number;
  /** Seconds after which the process is killed. */
  readonly wall: number;
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of the largest file that the process may write. */
  readonly file: number;
  /** Maximum bytes of standard output. If the process writes more, it is killed. */
  readonly output: number;
}

/**
 * How the process ended. `exited`: it exited with a code. `killed`: a signal ended it, for example at a limit of the
 * operating system. `out_of_time`: this service killed it after `wall` seconds, before it had used its processor time
 * (for example on a busy machine). `too_much_output`: this service killed it because of too much output. `stopped`:
 * this service killed it, or did not start it, because the server stops. `not_started`: it could not be started.
 */
export type Ending = 'exited' | 'killed' | 'out_of_time' | 'too_much_output' | 'stopped' | 'not_started';

export interface Finished {
  readonly ending: Ending;
  /** The exit code; null if a signal ended the process, or if it was not started. */
  readonly code: number | null;
  readonly stdout: string;
  /** The first 2 KB of standard error. */
  readonly stderr: string;
}

/**
 * A shell script that sets the limits and runs the program. A limit that the system does not support (macOS has no
 * `-v`) is skipped. The shell never parses the arguments. On Windows, the program runs without this script.
 */
const SCRIPT_WITH_LIMITS =
  ['ulimit -c 0', 'ulimit -t "$1"', 'ulimit -v "$2"', 'ulimit -f "$3"']
    .map((limit) => `{ ${limit}; } 2>/dev/null || :; `)
    .join('') + 'shift 3; exec nice -n 5 "$@"';
const MAX_STDERR_BYTES = 2048;
const ULIMIT_BLOCK_BYTES = 512;

const NOT_STARTED: Finished = { ending: 'not_started', code: null, stdout: '', stderr: '' };

/** Child processes whose groups must be killed when the server exits. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach(killGroup));

/**
 * Runs a program with an array of arguments, without standard input and with an almost empty environment. The program
 * has a separate process group and a lower priority than the server. Never throws.
 *
 * @param stop aborted when the server stops: the program's group is killed immediately, and no further program starts
 */
export async function runLimited(
  program: string,
  args: readonly string[],
  limits: ProcessLimits,
  stop?: AbortSignal,
): Promise<Finished> {
  if (stop?.aborted) return { ...NOT_STARTED, ending: 'stopped' };
  const child = start(commandLine(program, args, limits));
  if (!child) return NOT_STARTED;
  return new Promise((resolve) => {
    running.add(child);
    let killReason: Ending | null = null;
    const end = (reason: Ending) => {
      killReason ??= reason;
      killGroup(child);
    };
    const onServerStop = () => end('stopped');
    stop?.addEventListener('abort', onServerStop, { once: true });
    const timeout = setTimeout(() => end('out_of_time'), limits.wall * 1000);
    const stdout = collect(child.stdout, limits.output, () => end('too_much_output'));
    const stderr = collect(child.stderr, MAX_STDERR_BYTES);
    const finish = (finished: Finished) => {
      clearTimeout(timeout);
      stop?.removeEventListener('abort', onServerStop);
      running.delete(child);
      resolve(finished);
    };
    // The program was not started. If the reason is that no file handles are free, Node emits no `close`.
    child.once('error', () => finish(NOT_STARTED));
    child.once('close', (code, signal) => {
      const ending = killReason ?? (signal === null ? 'exited' : 'killed');
      finish({ ending, code, stdout: stdout(), stderr: stderr() });
    });
  });
}

/** Starts the process. Returns null if the system refuses, for example because of too little memory. */
function start([file, ...rest]: [string, ...string[]]): ChildProcess | null {
  try {
    return spawn(file, rest, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', MALLOC_ARENA_MAX: '2' },
    });
  } catch {
    return null;
  }
}

function commandLine(
  program: string,
  args: readonly string[],
  { cpu, memory, file }: ProcessLimits,
): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args];
  const limits = [cpu, Math.floor(memory / 1024), Math.floor(file / ULIMIT_BLOCK_BYTES)].map(String);
  return ['/bin/sh', '-c', SCRIPT_WITH_LIMITS, 'sh', ...limits, program, ...args];
}

/**
 * Returns a function that gives the first `bytes` bytes of the stream. The rest is also read, so that the child process
 * does not block. `stream` is null if the process was not started.
 */
function collect(stream: NodeJS.ReadableStream | null, bytes: number, onTooMuch?: () => void): () => string {
  const parts: Buffer[] = [];
  let remaining = bytes;
  stream?.on('data', (part: Buffer) => {
    if (remaining > 0) parts.push(part.subarray(0, remaining));
    remaining -= part.length;
    if (remaining < 0) onTooMuch?.();
  });
  return () => Buffer.concat(parts).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

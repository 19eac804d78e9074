import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#platform/net/free-port';

const ROOT = join(__dirname, '..', '..');
/**
 * The environment variable that contains the fault which `npm run mutants` seeds. Processes that a test starts get it
 * too.
 */
const MUTANT = 'TEST_MUTANT';
const START_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_STARTS = 3;

/** The server as a separate process that a test can kill. It runs from the TypeScript sources. */
export class ServerProcess {
  private constructor(
    readonly origin: string,
    private readonly child: ChildProcess,
    private readonly exited: Promise<unknown>,
  ) {}

  /**
   * Starts the server, and returns when the server answers. If `PORT` is not given, the server uses a free port. If the
   * server exits, or does not answer in time, it is started again, as a process manager would do: on a busy machine
   * another test may take the free port, or the database may be too slow. Throws after three failed starts.
   */
  static async start(env: Record<string, string>): Promise<ServerProcess> {
    const endings: string[] = [];
    while (endings.length < MAX_STARTS) {
      const server = await ServerProcess.spawnServer(env);
      if (await server.waitUntilReady()) return server;
      endings.push(server.child.exitCode === null ? 'no answer' : `exit ${server.child.exitCode}`);
      await server.kill();
    }
    throw new Error(`the server did not start: ${endings.join(', ')}`);
  }

  private static async spawnServer(env: Record<string, string>): Promise<ServerProcess> {
    const port = Number(env['PORT'] ?? (await freePort()));
    const child = spawn(
      process.execPath,
      [
        '--conditions=events-source',
        '--require',
        join(__dirname, 'register-typescript.cjs'),
        join(ROOT, 'apps/server/main.ts'),
      ],
      {
        cwd: ROOT,
        env: {
          PATH: process.env['PATH'] ?? '',
          [MUTANT]: process.env[MUTANT] ?? '',
          LOG_LEVEL: 'silent',
          JOBS: 'off',
          PORT: String(port),
          ...env,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return new ServerProcess(`http://127.0.0.1:${port}`, child, once(child, 'exit'));
  }

  /** Waits until the server answers. Returns false if the server has exited or does not answer in time. */
  private async waitUntilReady(): Promise<boolean> {
    const until = Date.now() + START_TIMEOUT_MS;
    const status = () =>
      fetch(`${this.origin}/health/ready`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
        (answer) => answer.status,
        () => null,
      );
    while ((await status()) !== 200) {
      if (this.child.exitCode !== null || this.child.signalCode !== null || Date.now() > until) return false;
      await pause(50);
    }
    return this.child.exitCode === null;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Process ids of the server's workers, if any. */
  get workers(): number[] {
    return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /**
   * Stops the server as process managers do, so that requests in progress can end. Returns the exit code; null if the
   * signal itself ended the process.
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    await this.exited;
    return this.child.exitCode;
  }

  /** Kills the server, like a power failure: nothing is completed or sent. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

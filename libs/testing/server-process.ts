import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(__dirname, '..', '..');
/** The seeded fault of `npm run mutants`, if there is one: a test's processes have it too. */
const MUTANT = 'TEST_MUTANT';
const PATIENCE_MS = 120_000;
const STARTS = 3;

/** The server as a process of its own, from the sources, to be killed. */
export class ServerProcess {
  private constructor(
    readonly origin: string,
    private readonly child: ChildProcess,
    private readonly exited: Promise<unknown>,
  ) {}

  /**
   * Returns once it answers; at a port of its own unless `PORT` is given. One that ends before is started again, as a process manager
   * would: on a busy machine a free port is taken by another test, or the database is too slow for the limits of a start.
   */
  static async start(env: Record<string, string>): Promise<ServerProcess> {
    const endings: string[] = [];
    while (endings.length < STARTS) {
      const server = await ServerProcess.spawned(env);
      if (await server.answers()) return server;
      endings.push(server.child.exitCode === null ? 'no answer' : `exit ${server.child.exitCode}`);
      await server.kill();
    }
    throw new Error(`the server did not start: ${endings.join(', ')}`);
  }

  private static async spawned(env: Record<string, string>): Promise<ServerProcess> {
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

  /** False when it has ended, or takes longer than anybody waits. */
  private async answers(): Promise<boolean> {
    const until = Date.now() + PATIENCE_MS;
    while ((await fetch(`${this.origin}/health/ready`).catch(() => null))?.status !== 200) {
      if (this.child.exitCode !== null || this.child.signalCode !== null || Date.now() > until) return false;
      await pause(50);
    }
    return this.child.exitCode === null;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Process ids of its workers, if any. */
  get workers(): number[] {
    return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** As process managers do: whatever is under way may end. → exit code */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.exited;
    return this.child.exitCode;
  }

  /** Like a power failure: nothing is finished or sent. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

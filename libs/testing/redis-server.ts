import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#platform/net/free-port';

export const PROGRAM = 'redis-server';

/** Whether the program `redis-server` (Debian package `redis-server`) can be started. */
export function redisIsInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/** A Redis server for one test, on a free port and with its own folder. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly extraArgs: readonly string[],
  ) {}

  static async start(...extraArgs: string[]): Promise<RedisServer> {
    const server = new RedisServer(await mkdtemp(join(tmpdir(), 'redis-')), await freePort(), extraArgs);
    await server.resume();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server on its port, always without data, and waits until it answers. */
  async resume(): Promise<void> {
    const args = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      '--save',
      '',
      '--appendonly',
      'no',
      ...this.extraArgs,
    ];
    this.child = spawn(PROGRAM, args, { stdio: 'ignore' });
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: 250 });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  }

  /** Kills the server, as in a crash. */
  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  /** Until `wake` is called, the server accepts connections but does not answer. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  wake(): void {
    this.child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_URL, withDatabase } from './test-cluster';
import type { TestServer } from './test-server';

const ROOT = resolve(__dirname, '..', '..');
const PATIENCE_MS = 60_000;

/** The service as a process of its own, on the database and the files of a test server: one that can be killed. */
export class MortalServer {
  private child: ChildProcess | null = null;

  private constructor(
    readonly origin: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async beside(server: TestServer, settings: NodeJS.ProcessEnv): Promise<MortalServer> {
    const [row] = await server.sql<{ name: string }>('SELECT current_database() AS name');
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    return new MortalServer(`http://127.0.0.1:${port}`, {
      PATH: process.env.PATH,
      DATABASE_URL: withDatabase(process.env[ADMIN_URL] ?? '', row?.name ?? ''),
      DATA_DIR: server.dataDir,
      PORT: String(port),
      JOBS: 'off',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
      RATE_LIMIT_IP_PER_MINUTE: '1000000',
      ...settings,
    });
  }

  /** Returns once it answers. */
  async start(): Promise<void> {
    const args = ['-C', 'source', '-r', './libs/testing/register-typescript.cjs', 'apps/server/main.ts'];
    const child = spawn(process.execPath, args, { cwd: ROOT, env: this.environment, stdio: ['ignore', 'ignore', 'inherit'] });
    this.child = child;
    for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
      if ((await fetch(`${this.origin}/health/ready`).catch(() => null))?.status === 200) return;
      if (child.exitCode !== null) break;
      await pause(50);
    }
    throw new Error('the server did not start');
  }

  /** As the system does when memory runs out: from one instruction to the next. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

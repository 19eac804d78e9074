import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#platform/net/free-port';
import { PROGRAM, RedisServer } from './redis-server';
import { waitUntil } from './wait-until';

const NAME = 'events';

/** A primary Redis server, its replica, and a sentinel that promotes the replica if the primary server fails. */
export class RedisWithReplica {
  private constructor(
    private readonly primary: RedisServer,
    private readonly replica: RedisServer,
    private readonly sentinel: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<RedisWithReplica> {
    const primary = await RedisServer.start();
    const replica = await RedisServer.start(
      '--replicaof',
      `127.0.0.1 ${primary.port}`,
      '--repl-diskless-sync-delay',
      '0',
    );
    await waitUntilServer(replica.port, async (redis) =>
      (await redis.info('replication')).includes('master_link_status:up'),
    );
    const [folder, port] = [mkdtempSync(join(tmpdir(), 'sentinel-')), await freePort()];
    const file = join(folder, 'sentinel.conf');
    writeFileSync(
      file,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`,
        `sentinel down-after-milliseconds ${NAME} 500`,
        `sentinel failover-timeout ${NAME} 2000`,
        '',
      ].join('\n'),
    );
    const redis = new RedisWithReplica(
      primary,
      replica,
      spawn(PROGRAM, [file, '--sentinel'], { stdio: 'ignore' }),
      folder,
      port,
    );
    await waitUntilServer(
      port,
      async (redis) => ((await redis.call('SENTINEL', 'replicas', NAME)) as unknown[]).length > 0,
    );
    return redis;
  }

  /** A URL with two addresses of sentinels. No server listens at the first address. */
  get url(): string {
    return `redis-sentinel://127.0.0.1:1,127.0.0.1:${this.port}/0?sentinelMasterId=${NAME}`;
  }

  /** Kills the primary server with SIGKILL, to simulate a crash. */
  kill(): Promise<void> {
    return this.primary.kill();
  }

  async stop(): Promise<void> {
    const exited = once(this.sentinel, 'exit');
    this.sentinel.kill('SIGKILL');
    await Promise.all([exited, this.primary.stop(), this.replica.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function waitUntilServer(port: number, condition: (redis: Redis) => Promise<boolean>): Promise<void> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  await waitUntil(() => condition(redis));
  redis.disconnect();
}

import type { Settings } from '#platform/config/settings';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import type { Replica } from '#platform/database/replicas/replica';
import { PostgresServer } from './postgres-server';
import type { TestDatabase } from './test-database';
import { TestServer } from './test-server';
import { waitUntil } from './wait-until';

/** A PostgreSQL with a streaming replica, and servers of the service that read from the replica. */
export class Replicated {
  private readonly servers: TestServer[] = [];

  private constructor(
    readonly primary: PostgresServer,
    readonly standby: PostgresServer,
  ) {}

  static async start(): Promise<Replicated> {
    const primary = await PostgresServer.primary();
    return new Replicated(primary, await primary.standby());
  }

  /**
   * Starts a server that reads from the replica. The maximum lag of a replica is longer than a test, so a server uses
   * the replica even while the replica is paused. The pools are small, because several servers share PostgreSQL's
   * connections.
   */
  async server(overrides: Partial<Settings> = {}): Promise<TestServer> {
    const { primary, standby } = this;
    const database: TestDatabase = { url: primary.url, drop: () => Promise.resolve() };
    const server = await TestServer.start(
      {
        databaseUrl: primary.url,
        databaseReplicaUrls: [standby.url],
        databaseReplicaMaxLag: 3_600,
        databasePool: 4,
        ...overrides,
      },
      undefined,
      () => Promise.resolve(database),
    );
    this.servers.push(server);
    return server;
  }

  /** Pauses the replica: reads from the replica see no new commits until `replay` is called. */
  async pause(): Promise<void> {
    await this.standby.sql('SELECT pg_wal_replay_pause()');
    await waitUntil(
      async () =>
        (await this.standby.sql<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]?.state ===
        'paused',
    );
  }

  /** Ends the pause. */
  async replay(): Promise<void> {
    await this.standby.sql('SELECT pg_wal_replay_resume()');
  }

  /** Waits until the replica has all commits that the primary has now, and every server has noticed this. */
  async waitForReplica(): Promise<void> {
    const [row] = await this.primary.sql<{ position: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS position`,
    );
    await waitUntil(async () => this.servers.every((server) => replicaOf(server).canReadAt(row?.position ?? 0)));
  }

  async remove(): Promise<void> {
    for (const server of this.servers) await server.stop();
    await this.standby.remove();
    await this.primary.remove();
  }
}

/** The replica that a server uses. */
export function replicaOf(server: TestServer): Replica {
  const [replica] = server.app.get(ReadingDatabase).replicas;
  if (!replica) throw new Error('the server has no replica');
  return replica;
}

/** How often `ReadingDatabase.during` of a server has read from the replica, and how often from the primary. */
export function readsOf(server: TestServer): { replica: number; primary: number } {
  const { readsPerServer: reads } = server.app.get(ReadingDatabase);
  return { replica: reads.get(replicaOf(server).name) ?? 0, primary: reads.get('primary') ?? 0 };
}

/** Like `readsOf`, but only for the reads during `work`. */
export async function readsDuring(
  server: TestServer,
  work: () => Promise<unknown>,
): Promise<{ replica: number; primary: number }> {
  const before = readsOf(server);
  await work();
  const after = readsOf(server);
  return { replica: after.replica - before.replica, primary: after.primary - before.primary };
}

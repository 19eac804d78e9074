import { Redis } from 'ioredis';
import { freePort } from '#platform/net/free-port';
import { RedisServer } from './redis-server';
import { waitUntil } from './wait-until';

const SLOTS = 16_384;
const NODES = 3;
/** If a node does not answer for this number of milliseconds, it counts as failed. */
const NODE_TIMEOUT_MS = 1_000;

/** A cluster of three Redis servers, and a replica that takes over if the first server fails. */
export class RedisCluster {
  private constructor(
    private readonly nodes: readonly RedisServer[],
    private readonly replica: RedisServer,
  ) {}

  static async start(): Promise<RedisCluster> {
    const started: { server: RedisServer; bus: number }[] = [];
    for (let i = 0; i <= NODES; i++) {
      const bus = await freePort();
      started.push({
        bus,
        server: await RedisServer.start(
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(bus),
          '--cluster-node-timeout',
          String(NODE_TIMEOUT_MS),
        ),
      });
    }
    const nodes = started.slice(0, NODES);
    const [first, replica] = [nodes[0]!, started[NODES]!];
    for (const [i, { server }] of nodes.entries()) {
      await clusterCommand(
        server,
        'ADDSLOTSRANGE',
        Math.floor((SLOTS * i) / NODES),
        Math.floor((SLOTS * (i + 1)) / NODES) - 1,
      );
    }
    for (const { server, bus } of started.slice(1))
      await clusterCommand(first.server, 'MEET', '127.0.0.1', server.port, bus);
    const id = await clusterCommand(first.server, 'MYID');
    await waitUntil(async () => (await clusterCommand(replica.server, 'NODES')).includes(id));
    await clusterCommand(replica.server, 'REPLICATE', id);
    for (const { server } of started)
      await waitUntil(
        async () =>
          (await clusterCommand(server, 'INFO')).includes('cluster_state:ok') &&
          /cluster_known_nodes:4\b/.test(await clusterCommand(server, 'INFO')),
      );
    await waitUntil(
      async () =>
        (await clusterCommand(first.server, 'REPLICAS', id)).includes('slave') && (await isLinked(replica.server)),
    );
    return new RedisCluster(
      nodes.map(({ server }) => server),
      replica.server,
    );
  }

  /** A URL with two addresses: no server listens at the first, and the second is the address of a node. */
  get url(): string {
    return `redis-cluster://127.0.0.1:1,127.0.0.1:${this.nodes[1]!.port}`;
  }

  /** Kills the first server without a shutdown. */
  killFirstServer(): Promise<void> {
    return this.nodes[0]!.kill();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.nodes, this.replica].map((server) => server.stop()));
  }
}

async function clusterCommand(server: RedisServer, ...words: (string | number)[]): Promise<string> {
  return withClient(server, async (redis) => String(await redis.call('CLUSTER', ...words)));
}

function isLinked(server: RedisServer): Promise<boolean> {
  return withClient(server, async (redis) => (await redis.info('replication')).includes('master_link_status:up'));
}

async function withClient<T>(server: RedisServer, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(server.port, '127.0.0.1', { enableReadyCheck: false });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

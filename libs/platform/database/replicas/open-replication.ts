import type { Client } from 'pg';
import { serverOf } from '../../config/replica-addresses';
import type { Settings } from '../../config/settings';
import { connectWatch, replicaPoolOptions } from '../data-source';
import type { DatabaseServer } from '../database-server';
import { HiddenPosition } from './hidden-position';
import type { Replication } from './reading-database';
import { Replica } from './replica';
import { Replicas } from './replicas';
import { SharedPositions } from './shared-positions';
import { OwnPositions } from './written-positions';

/**
 * Positions of own writes are stored for the maximum lag of a replica, plus this many times the longest interval
 * between two checks.
 */
const LATE = 5;

/** Returns null if there are no replicas. No replica is contacted before the first read. */
export async function openReplication(
  settings: Settings,
  server: Pick<DatabaseServer, 'url'>,
): Promise<Replication | null> {
  const { databaseReplicaUrls, databaseReplicaMaxLag, databasePool, databaseTimeouts, redisUrl } = settings;
  if (databaseReplicaUrls.length === 0) return null;
  const maxLagMs = databaseReplicaMaxLag * 1000;
  const watched = (url: string) => () => connectWatch(url, databaseTimeouts.connect / 2);
  const replicas = databaseReplicaUrls.map((url) => ({
    name: serverOf(url),
    make: (primary: ConstructorParameters<typeof Replica>[3]) =>
      new Replica(serverOf(url), replicaPoolOptions(url, databasePool, databaseTimeouts), watched(url), primary),
  }));
  const keptMs = maxLagMs + LATE * databaseTimeouts.connect;
  const hidden = new HiddenPosition(keptMs);
  const primary = async (): Promise<Client> => {
    const client = await watched(server.url)();
    client.on('notification', () => void hidden.learn(() => all.positionAfter()));
    await client.query('LISTEN out_of_sight');
    return client;
  };
  const all: Replicas = new Replicas({ primary, replicas }, maxLagMs, databaseTimeouts.connect);
  return {
    hidden,
    replicas: all,
    written: redisUrl === null ? new OwnPositions(keptMs) : await SharedPositions.open(redisUrl, keptMs),
  };
}

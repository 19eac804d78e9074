import type { Client } from 'pg';
import { serverOf } from '../../config/replica-addresses';
import type { Settings } from '../../config/settings';
import { connectOnce, replicaPoolOptions } from '../data-source';
import type { DatabaseServer } from '../database-server';
import { HiddenPosition } from './hidden-position';
import type { Replication } from './reading-database';
import { Replica, type Primary } from './replica';
import { Replicas } from './replicas';
import { SharedPositions } from './shared-positions';
import { OwnPositions } from './written-positions';

/**
 * WAL positions are stored for the maximum lag of a replica, plus the maximum duration of MARGIN_CHECKS checks of a
 * replica. One check takes at most the connection timeout.
 */
const MARGIN_CHECKS = 5;

/** Returns null if no replica is configured. No replica is contacted before `ReadingDatabase.start`. */
export async function openReplication(
  settings: Settings,
  server: Pick<DatabaseServer, 'url'>,
): Promise<Replication | null> {
  const { databaseReplicaUrls, databaseReplicaMaxLag, databasePool, databaseTimeouts, redisUrl } = settings;
  if (databaseReplicaUrls.length === 0) return null;
  const maxLagMs = databaseReplicaMaxLag * 1000;
  const connectTo = (url: string) => () => connectOnce(url, databaseTimeouts.connect / 2);
  const replicas = databaseReplicaUrls.map(
    (url) => (primary: Primary) =>
      new Replica(serverOf(url), replicaPoolOptions(url, databasePool, databaseTimeouts), connectTo(url), primary),
  );
  const storedMs = maxLagMs + MARGIN_CHECKS * databaseTimeouts.connect;
  // The position of the last commit that hid or removed data.
  const hidden = new HiddenPosition(storedMs);
  const primary = async (): Promise<Client> => {
    const client = await connectTo(server.url)();
    const learnHidden = (): void => void hidden.learn(() => replicaSet.currentPosition());
    client.on('notification', learnHidden);
    await client.query('LISTEN out_of_sight');
    // While there was no connection, notifications may have been lost.
    learnHidden();
    return client;
  };
  const replicaSet: Replicas = new Replicas({ primary, replicas }, maxLagMs, databaseTimeouts.connect);
  return {
    hidden,
    replicas: replicaSet,
    written: redisUrl === null ? new OwnPositions(storedMs) : await SharedPositions.open(redisUrl, storedMs),
  };
}

import { serverOf } from '../../config/replica-addresses';
import type { Settings } from '../../config/settings';
import { connectWatch, replicaPoolOptions } from '../data-source';
import type { DatabaseServer } from '../database-server';
import type { Replication } from './reading-database';
import { Replica } from './replica';
import { Replicas } from './replicas';
import { ANSWERS_WITHIN_MS } from './server-watch';
import { SharedPositions } from './shared-positions';
import { OwnPositions } from './written-positions';

/** Milliseconds by which what a replica in service may be behind is known too late, and more. */
const KNOWN_LATE_MS = 10_000;

/** Null without replicas. Nothing is asked of them before the first read. */
export async function openReplication(settings: Settings, server: Pick<DatabaseServer, 'url'>): Promise<Replication | null> {
  const { databaseReplicaUrls, databaseReplicaMaxLag, databasePool, databaseTimeouts, redisUrl } = settings;
  if (databaseReplicaUrls.length === 0) return null;
  const maxLagMs = databaseReplicaMaxLag * 1000;
  const watched = (url: string) => () => connectWatch(url, ANSWERS_WITHIN_MS);
  const replicas = databaseReplicaUrls.map((url) => ({
    name: serverOf(url),
    make: (primary: ConstructorParameters<typeof Replica>[3]) => new Replica(serverOf(url), replicaPoolOptions(url, databasePool, databaseTimeouts), watched(url), primary),
  }));
  const keptMs = maxLagMs + KNOWN_LATE_MS;
  return {
    replicas: new Replicas({ primary: watched(server.url), replicas }, maxLagMs),
    written: redisUrl === null ? new OwnPositions(keptMs) : await SharedPositions.open(redisUrl, keptMs),
  };
}

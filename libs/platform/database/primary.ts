import type { NamedServer } from '../config/database-address';
import { isUnavailable, NO_PRIMARY } from './availability';
import { SturdyClient } from './sturdy-client';

/** Milliseconds for one server's response; all servers are queried in parallel. */
const PATIENCE = 1_500;

/** State of this process, by address: the server that took writes last, and the search in progress. */
const known = new Map<string, NamedServer>();
const searches = new Map<string, Promise<NamedServer>>();

/**
 * The server that takes writes: the last known one until `forgetPrimary`, else the first that reports so. Concurrent
 * callers share one search.
 * @throws an unavailability error (`isUnavailable`) if there is none, and a server's own refusal, such as a wrong
 * password
 */
export function findPrimary(address: string, servers: readonly NamedServer[]): Promise<NamedServer> {
  const last = known.get(address);
  if (last) return Promise.resolve(last);
  const underWay = searches.get(address);
  if (underWay) return underWay;
  const search = ask(servers)
    .then((found) => {
      known.set(address, found);
      return found;
    })
    .finally(() => searches.delete(address));
  searches.set(address, search);
  return search;
}

/** Forgets a server that is gone or no longer takes writes. */
export function forgetPrimary(address: string, server: NamedServer): void {
  if (known.get(address) === server) known.delete(address);
}

async function ask(servers: readonly NamedServer[]): Promise<NamedServer> {
  try {
    return await Promise.any(servers.map(takingWrites));
  } catch (error) {
    const reasons = (error as AggregateError).errors as Error[];
    throw (
      reasons.find((reason) => !isUnavailable(reason)) ??
      new Error(`${NO_PRIMARY} (${reasons.map(({ message }) => message).join('; ')})`)
    );
  }
}

async function takingWrites(server: NamedServer): Promise<NamedServer> {
  const client = new SturdyClient({
    connectionString: server.url,
    application_name: 'events-search',
    connectionTimeoutMillis: PATIENCE,
  });
  try {
    await client.connect();
    if (!(await client.takesWrites())) throw new Error(NO_PRIMARY);
    return server;
  } catch (error) {
    throw Object.assign(error as Error, {
      message: `${server.host}:${server.port}: ${(error as Error).message || String((error as { code?: unknown }).code)}`,
    });
  } finally {
    // The close is not awaited.
    client.end().catch(() => undefined);
  }
}

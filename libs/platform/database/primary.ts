import type { NamedServer } from '../config/database-address';
import { isUnavailable, NO_PRIMARY } from './availability';
import { SturdyClient } from './sturdy-client';

/** Milliseconds to wait for the response of one server. All servers are queried in parallel. */
const PATIENCE = 1_500;

/** The state of this process for each address: the server that took writes last, and the search in progress. */
const known = new Map<string, NamedServer>();
const searches = new Map<string, Promise<NamedServer>>();

/**
 * Returns the server that takes writes: the server found last, or after `forgetPrimary` the first server that reports
 * that it takes writes. Concurrent callers share one search.
 *
 * @throws an error of unavailability (`isUnavailable`) if no server takes writes; the error of a server that refuses
 * the connection, for example because of a wrong password
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

/** Forgets a server that does not respond or no longer takes writes. */
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
    // The caller does not wait until the connection is closed.
    client.end().catch(() => undefined);
  }
}

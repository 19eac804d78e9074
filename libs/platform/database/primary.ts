import type { NamedServer } from '../config/database-address';
import { reasonOf } from '../text/reason';
import { isUnavailable, NO_PRIMARY } from './availability';
import { ResilientClient } from './resilient-client';

/** Milliseconds to wait for the connection to one server. All servers are queried in parallel. */
const CONNECT_TIMEOUT_MS = 1_500;

/** For each address (DATABASE_URL): the server that took writes at the last search. */
const primaries = new Map<string, NamedServer>();
/** For each address: the search in progress. */
const searches = new Map<string, Promise<NamedServer>>();

/**
 * Returns the server that the last search has found. Searches if no server was found yet, or if `forgetPrimary` was
 * called. The search queries all servers at the same time, and returns the server that is the first to report that it
 * takes writes. Concurrent callers share one search.
 *
 * @throws if no server takes writes: the error of a server that refused the connection, for example because of a wrong
 * password; otherwise an error of unavailability (`isUnavailable`)
 */
export function findPrimary(address: string, servers: readonly NamedServer[]): Promise<NamedServer> {
  const last = primaries.get(address);
  if (last) return Promise.resolve(last);
  const current = searches.get(address);
  if (current) return current;
  const search = queryServers(servers)
    .then((found) => {
      primaries.set(address, found);
      return found;
    })
    .finally(() => searches.delete(address));
  searches.set(address, search);
  return search;
}

/** Forgets the server, because it does not respond or no longer takes writes. The next `findPrimary` then searches. */
export function forgetPrimary(address: string, server: NamedServer): void {
  if (primaries.get(address) === server) primaries.delete(address);
}

async function queryServers(servers: readonly NamedServer[]): Promise<NamedServer> {
  try {
    return await Promise.any(servers.map(requirePrimary));
  } catch (error) {
    const reasons = (error as AggregateError).errors as Error[];
    throw (
      reasons.find((reason) => !isUnavailable(reason)) ??
      new Error(`${NO_PRIMARY} (${reasons.map(({ message }) => message).join('; ')})`)
    );
  }
}

async function requirePrimary(server: NamedServer): Promise<NamedServer> {
  const client = new ResilientClient({
    connectionString: server.url,
    application_name: 'events-search',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  try {
    await client.connect();
    if (!(await client.takesWrites())) throw new Error(NO_PRIMARY);
    return server;
  } catch (error) {
    throw Object.assign(error as Error, {
      message: `${server.host}:${server.port}: ${reasonOf(error)}`,
    });
  } finally {
    // The caller does not wait until the connection is closed.
    client.end().catch(() => undefined);
  }
}

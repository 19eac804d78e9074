import type { NamedServer } from '../config/database-address';
import { isUnavailable, NO_PRIMARY } from './availability';
import { SturdyClient } from './sturdy-client';

/** Milliseconds that one of the servers may take to answer; the others are asked at the same time. */
const PATIENCE = 1_500;

/** What this process knows, by address: the server that took writes last, and the search that is under way. */
const known = new Map<string, NamedServer>();
const searches = new Map<string, Promise<NamedServer>>();

/**
 * The one of the servers that takes writes: the same as last time until `forgetPrimary`, else the first that says so. All who want to know at
 * once share one search.
 * @throws what is unavailable (`isUnavailable`) while there is none, and the refusal itself where one refuses us (a wrong password)
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

/** It is gone, or takes no writes any more. */
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
    // Nobody waits for the goodbye.
    client.end().catch(() => undefined);
  }
}

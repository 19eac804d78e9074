import { Client } from 'pg';

/** The state of a connection's queries inside pg, which has no public API for it. */
interface QueryState {
  _activeQuery?: object | null;
  _queryQueue: readonly unknown[];
}

/**
 * After this call, a query throws an error if its connection is still running another query. This holds for every
 * connection of this process. Without this check the query would wait in pg's queue, which pg has deprecated and will
 * remove in its next major version. With this check, a test fails if the code runs queries of one transaction in
 * parallel.
 */
export function refuseParallelQueries(): void {
  const prototype = Client.prototype as unknown as { query: ((...args: unknown[]) => unknown) & { oneAtATime?: true } };
  if (prototype.query.oneAtATime) return;
  const query = prototype.query;
  const watched = function (this: QueryState, ...args: unknown[]): unknown {
    if (this._activeQuery || this._queryQueue.length > 0) {
      const [sent] = args;
      const text = typeof sent === 'string' ? sent : ((sent as { text?: string } | null)?.text ?? '');
      throw new Error(
        `a query was sent on a connection that is still running another query (pg: "already executing a query"): ${text}`,
      );
    }
    return query.apply(this, args);
  };
  prototype.query = Object.assign(watched, { oneAtATime: true as const });
}

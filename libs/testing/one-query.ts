import { Client } from 'pg';

/** pg's state of a connection's queries; it has no public API. */
interface Busy {
  _activeQuery?: object | null;
  _queryQueue: readonly unknown[];
}

/**
 * From now on, in this process, a query on a connection that is running another query throws an error. Otherwise it
 * would wait in pg's queue, which pg deprecates and removes in its next major version. Tests thereby find parallel
 * queries within one transaction; parallel queries belong on the pool.
 */
export function watchOneQuery(): void {
  const prototype = Client.prototype as unknown as { query: ((...args: unknown[]) => unknown) & { oneAtATime?: true } };
  if (prototype.query.oneAtATime) return;
  const query = prototype.query;
  const watched = function (this: Busy, ...args: unknown[]): unknown {
    if (this._activeQuery || this._queryQueue.length > 0) {
      const [sent] = args;
      const text = typeof sent === 'string' ? sent : ((sent as { text?: string } | null)?.text ?? '');
      throw new Error(`a connection is asked again before it has answered (pg: "already executing a query"): ${text}`);
    }
    return query.apply(this, args);
  };
  prototype.query = Object.assign(watched, { oneAtATime: true as const });
}

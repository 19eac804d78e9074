import { Client } from 'pg';

/** What pg keeps about a connection's queries; it has no public way to ask. */
interface Busy {
  _activeQuery?: object | null;
  _queryQueue: readonly unknown[];
}

/**
 * From now on, in this process, a query that is given to a connection while another one runs on it throws instead of waiting in pg's
 * queue, which pg deprecates and takes away in its next major version. So whoever asks side by side within one transaction is found
 * by the test that makes it do so; beside each other is what the pool is for.
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

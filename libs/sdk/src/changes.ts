import type { components } from './generated/schema.ts';
import { refused } from './refusal.ts';
import { pause, type Answer, type Transport } from './transport.ts';

type Entry = components['schemas']['Change'];

/** One thing that has happened. */
export interface Change extends Entry {
  /**
   * What stands at `subject.url` now, as it is answered: `{ data }`, or the page of a list with `links` and `meta`. null when it is gone or out of
   * sight. Asked once for all changes of a page that speak of the same address.
   */
  readonly read: () => Promise<unknown>;
}

export interface ChangesOptions {
  /** Goes on after this change; without one, from now. */
  readonly cursor?: string;
  /** Only these; others are passed over. */
  readonly types?: readonly Entry['type'][];
  /** Ends the waiting, with its reason thrown. */
  readonly signal?: AbortSignal;
}

interface Page {
  readonly data: readonly Entry[];
  readonly meta: { readonly cursor: string };
}

/** As long as the server holds a request. */
const WAIT_SECONDS = 25;
/** What a network may add to that. */
const TIMEOUT_MS = (WAIT_SECONDS + 15) * 1000;

/** An empty answer before this was not held. */
const SHORTEST_MS = 1000;

/**
 * Everything that happens, in the order of the feed, each once, for ever: a broken connection, a server that is restarted and a used-up window
 * are waited out. Throws `Refusal` when there is no going on: `cursor_expired` (read everything anew), `unauthenticated`, `premium_required` …
 */
export async function* changesOf(transport: Transport, { cursor, types, signal }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
  let at = cursor;
  for (;;) {
    const query = new URLSearchParams(at === undefined ? {} : { cursor: at, wait: String(WAIT_SECONDS) });
    if (types) query.set('types', types.join());
    const asked = performance.now();
    const page = await json<Page>(transport.send({ method: 'GET', path: `/changes?${query.toString()}` }, { timeoutMs: TIMEOUT_MS, retries: Infinity, patienceMs: Infinity, ...(signal && { signal }) }));
    const reads = new Map<string, Promise<unknown>>();
    for (const entry of page.data) yield { ...entry, read: () => readOnce(transport, reads, entry, signal) };
    const hasNothingAtOnce = at !== undefined && page.data.length === 0 && performance.now() - asked < SHORTEST_MS;
    at = page.meta.cursor;
    // A server or proxy that does not hold the request must not be asked without end.
    if (hasNothingAtOnce) await pause(SHORTEST_MS, signal);
  }
}

async function readOnce(transport: Transport, reads: Map<string, Promise<unknown>>, { type, subject }: Entry, signal?: AbortSignal): Promise<unknown> {
  if (type.endsWith('.gone')) return null;
  const { url } = subject;
  const asked = reads.get(url) ?? json(transport.send({ method: 'GET', path: transport.pathOf(url) }, signal && { signal }));
  reads.set(url, asked);
  try {
    return await asked;
  } catch (error) {
    // Lost since: a `.gone` of it follows.
    if (refused(error, 'not_found', 'forbidden')) return null;
    // The next to ask tries anew.
    reads.delete(url);
    throw error;
  }
}

async function json<Body>(answer: Promise<Answer>): Promise<Body> {
  return JSON.parse(await (await answer).body.text()) as Body;
}

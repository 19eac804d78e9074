import type { components } from './generated/schema.ts';
import { refused } from './refusal.ts';
import { streamOf } from './stream.ts';
import { pause, type Answer, type Transport } from './transport.ts';

type Entry = components['schemas']['Change'];

/** One thing that has happened. */
export interface Change extends Entry {
  /**
   * What stands at `subject.url` now, as it is answered: `{ data }`, or the page of a list with `links` and `meta`. null when it is gone or out of
   * sight. Asked once for all changes that came together and speak of the same address.
   */
  readonly read: () => Promise<unknown>;
}

export interface ChangesOptions {
  /** Goes on after this change; without one, from now. */
  readonly cursor?: string;
  /** Only these; others are passed over. */
  readonly types?: readonly Entry['type'][];
  /**
   * false: no stream, but requests that are held until something comes. An account has three streams and ten held requests at most; where
   * there is no stream to be had, requests are held all the same.
   */
  readonly stream?: boolean;
  /** Ends the waiting, with its reason thrown. */
  readonly signal?: AbortSignal;
}

interface Page {
  readonly data: readonly Entry[];
  readonly meta: { readonly cursor: string; readonly has_more: boolean };
}

/** As long as the server holds a request. */
const WAIT_SECONDS = 25;
/** What a network may add to that. */
const TIMEOUT_MS = (WAIT_SECONDS + 15) * 1000;

/** An empty answer before this was not held. */
const SHORTEST_MS = 1000;

/**
 * Everything that happens, in the order of the feed, each once, for ever: a broken connection, a server that is restarted and a used-up window
 * are waited out. What there is already comes by pages, what follows by a stream or by held requests. Throws `Refusal` when there is no going
 * on: `cursor_expired` (read everything anew), `validation_failed` (what was kept is no cursor), `unauthenticated`, `premium_required` …
 */
export async function* changesOf(
  transport: Transport,
  { cursor, types, stream = true, signal }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let at = cursor;
  /** No streams at all, none before a request was held, or one as soon as all is read. */
  let streams: 'never' | 'later' | 'now' = stream ? 'now' : 'never';
  const ask = (more: Record<string, string>): URLSearchParams =>
    new URLSearchParams({ ...(at !== undefined && { cursor: at }), ...more, ...(types && { types: types.join() }) });

  for (;;) {
    const waits = at !== undefined && streams !== 'now';
    const asked = performance.now();
    const path = `/changes?${ask(waits ? { wait: String(WAIT_SECONDS) } : {}).toString()}`;
    const page = await json<Page>(
      transport.send(
        { method: 'GET', path },
        { timeoutMs: TIMEOUT_MS, retries: Infinity, patienceMs: Infinity, ...(signal && { signal }) },
      ),
    );
    yield* readable(transport, page.data, signal);
    at = page.meta.cursor;
    // A server or proxy that does not hold the request must not be asked without end.
    if (waits && page.data.length === 0 && performance.now() - asked < SHORTEST_MS) await pause(SHORTEST_MS, signal);
    if (streams === 'later') streams = 'now';
    if (streams === 'now' && !page.meta.has_more) {
      try {
        const arrivals = streamOf<Entry>(transport, ask({}), signal);
        let next = await arrivals.next();
        try {
          for (; !next.done; next = await arrivals.next()) {
            yield* readable(transport, next.value.data, signal);
            at = next.value.cursor;
          }
        } finally {
          await arrivals.return(true);
        }
        if (!next.value) streams = 'never';
      } catch (error) {
        const { status } = error as { readonly status?: number };
        // No stream is left, or there is no server just now: what is held meanwhile is as patient as need be.
        if (status === undefined || (status !== 429 && status < 500)) throw error;
        streams = 'later';
      }
    }
  }
}

function* readable(
  transport: Transport,
  entries: readonly Entry[],
  signal?: AbortSignal,
): Generator<Change, void, undefined> {
  const reads = new Map<string, Promise<unknown>>();
  for (const entry of entries) yield { ...entry, read: () => readOnce(transport, reads, entry, signal) };
}

async function readOnce(
  transport: Transport,
  reads: Map<string, Promise<unknown>>,
  { type, subject }: Entry,
  signal?: AbortSignal,
): Promise<unknown> {
  if (type.endsWith('.gone')) return null;
  const { url } = subject;
  const asked =
    reads.get(url) ?? json(transport.send({ method: 'GET', path: transport.pathOf(url) }, signal && { signal }));
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

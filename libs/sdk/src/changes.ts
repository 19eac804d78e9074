import type { components } from './generated/schema.ts';
import { refused } from './refusal.ts';
import { streamOf } from './stream.ts';
import { jsonOf, pause, type Transport } from './transport.ts';

type Entry = components['schemas']['Change'];

/** An entry of the feed of changes. */
export interface Change extends Entry {
  /**
   * Fetches the current content at `subject.url`: `{ data }`, or a page of a list with `links` and `meta`. Returns null
   * if the subject was deleted or is not visible. Changes that arrive together and have the same `subject.url` share
   * one request.
   */
  readonly read: () => Promise<unknown>;
}

export interface ChangesOptions {
  /** The cursor of the last processed change. Without a cursor, only changes that happen from now on are yielded. */
  readonly cursor?: string;
  /** With 'subject', each change has the property `object`: the content of its subject. */
  readonly include?: 'subject';
  /** Yields only changes of these types. */
  readonly types?: readonly Entry['type'][];
  /**
   * If false, the client uses long polling instead of a stream. The client also uses long polling if no stream is
   * available. An account may have three streams and ten open long-polling requests.
   */
  readonly stream?: boolean;
  /** An abort of this signal ends the iteration, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

interface Page {
  readonly data: readonly Entry[];
  readonly meta: { readonly cursor: string; readonly has_more: boolean };
}

/** The time for which the server holds a long-polling request while there are no changes. */
const WAIT_SECONDS = 25;
/**
 * The client's timeout for a request for a page, also without long polling: `WAIT_SECONDS` and 15 seconds for network
 * delays.
 */
const TIMEOUT_MS = (WAIT_SECONDS + 15) * 1000;

/** If an empty response to a long-polling request arrives sooner than this, the server did not hold the request. */
const MIN_HOLD_MS = 1000;

/**
 * Yields all changes after the cursor in the order of the feed, each change once. The iteration does not end by itself:
 * the client reconnects after broken connections and server restarts, and waits when the request limit is reached.
 * Existing changes are read page by page, later changes by a stream or long polling. Throws `Refusal` if the iteration
 * cannot continue: `cursor_expired` (read all data again), `validation_failed` (the stored cursor is invalid),
 * `unauthenticated`, `premium_required` …; throws `UnexpectedAnswer` for a successful response that is not from the
 * API.
 */
export async function* changesOf(
  transport: Transport,
  { cursor, types, include, stream = true, signal }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let lastCursor = cursor;
  /**
   * When to open the next stream. `never`: not at all. `later`: after the next long-polling request. `now`: as soon as
   * all pages are read.
   */
  let nextStream: 'never' | 'later' | 'now' = stream ? 'now' : 'never';
  const queryOf = (more: Record<string, string>): URLSearchParams =>
    new URLSearchParams({
      ...(lastCursor !== undefined && { cursor: lastCursor }),
      ...more,
      ...(types && { types: types.join() }),
      ...(include && { include }),
    });

  for (;;) {
    const isLongPoll = lastCursor !== undefined && nextStream !== 'now';
    const sentAt = performance.now();
    const path = `/changes?${queryOf(isLongPoll ? { wait: String(WAIT_SECONDS) } : {}).toString()}`;
    const answer = await transport.send(
      { method: 'GET', path },
      { timeoutMs: TIMEOUT_MS, retries: Infinity, patienceMs: Infinity, ...(signal && { signal }) },
    );
    const page = (await jsonOf(answer)) as Page;
    yield* withRead(transport, page.data, signal);
    lastCursor = page.meta.cursor;
    // This pause prevents a busy loop with a server or proxy that does not hold the request.
    if (isLongPoll && page.data.length === 0 && performance.now() - sentAt < MIN_HOLD_MS)
      await pause(MIN_HOLD_MS, signal);
    if (nextStream === 'later') nextStream = 'now';
    if (nextStream === 'now' && !page.meta.has_more) {
      try {
        const arrivals = streamOf<Entry>(transport, queryOf({}), signal);
        let next = await arrivals.next();
        try {
          for (; !next.done; next = await arrivals.next()) {
            yield* withRead(transport, next.value.data, signal);
            lastCursor = next.value.cursor;
          }
        } finally {
          await arrivals.return(true);
        }
        // The stream ended without any data, so no further stream is opened.
        if (!next.value) nextStream = 'never';
      } catch (error) {
        const { status } = error as { readonly status?: number };
        // No stream is available, or the server is down. The client uses long polling until it opens the next stream.
        if (status === undefined || (status !== 429 && status < 500)) throw error;
        nextStream = 'later';
      }
    }
  }
}

/** Adds `read` to each entry. */
function* withRead(
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
  const request =
    reads.get(url) ?? transport.send({ method: 'GET', path: transport.pathOf(url) }, signal && { signal }).then(jsonOf);
  reads.set(url, request);
  try {
    return await request;
  } catch (error) {
    // The subject is no longer visible. Its `.gone` change follows.
    if (refused(error, 'not_found', 'forbidden')) return null;
    // After a failure, the next call of `read` sends the request again.
    reads.delete(url);
    throw error;
  }
}

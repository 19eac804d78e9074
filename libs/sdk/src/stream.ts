import { pause, type Transport } from './transport.ts';

/** A part of the stream: entries (possibly none), and the cursor after them. */
export interface StreamPart<Entry> {
  readonly cursor: string;
  readonly data: readonly Entry[];
}

/**
 * The server sends a comment at least every 15 seconds. So if nothing arrives for `SILENCE_MS`, the connection is dead,
 * or a proxy buffers the response.
 */
const SILENCE_MS = 40_000;
/** If a stream ends sooner than this, `streamOf` waits for this time before it returns. */
const MIN_DURATION_MS = 1000;

/**
 * Reads the feed as server-sent events, and yields its parts until the connection ends. The events are parsed here,
 * because `EventSource` cannot send a token. Returns whether any data of a stream arrived. If not, a proxy probably
 * buffers or changes responses. Throws the refusal of the request, or the reason of `signal`.
 */
export async function* streamOf<Entry>(
  transport: Transport,
  query: URLSearchParams,
  signal?: AbortSignal,
): AsyncGenerator<StreamPart<Entry>, boolean, undefined> {
  const began = performance.now();
  const request = { method: 'GET', path: `/changes?${query.toString()}` } as const;
  const response = await transport.open(request, {
    headers: { accept: 'text/event-stream' },
    timeoutMs: SILENCE_MS,
    // A refusal with `Retry-After` is thrown at once. Other temporary failures are retried without a limit.
    patienceMs: 0,
    retries: Infinity,
    ...(signal && { signal }),
  });
  const reader = response.body?.getReader();
  if (!reader) return false;
  const end = (): void => void reader.cancel().catch(() => undefined);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    end();
    return false;
  }
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  const decoder = new TextDecoder();
  let [rest, hasReceived] = ['', false];
  try {
    for (;;) {
      silenceTimer = setTimeout(end, SILENCE_MS);
      const { value, done } = await reader.read();
      clearTimeout(silenceTimer);
      if (done) break;
      hasReceived = true;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      const entries = blocks.map(fieldsOf).filter(({ id }) => id !== undefined);
      const cursor = entries.at(-1)?.id;
      if (cursor !== undefined)
        yield { cursor, data: entries.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Entry])) };
    }
  } catch {
    // The connection was lost, or `signal` was aborted. After a lost connection, the caller of `streamOf` opens the
    // next stream from its last cursor. The next stream then contains the entries that did not arrive.
    signal?.throwIfAborted();
  } finally {
    clearTimeout(silenceTimer);
    end();
  }
  if (performance.now() - began < MIN_DURATION_MS) await pause(MIN_DURATION_MS, signal);
  return hasReceived;
}

function fieldsOf(block: string): { readonly id?: string; readonly data?: string } {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name !== '') fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}

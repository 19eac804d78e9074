import { pause, type Transport } from './transport.ts';

/** What came in one piece: a place in the feed that may be gone on from, and the entries before it. */
export interface Arrived<Entry> {
  readonly cursor: string;
  readonly data: readonly Entry[];
}

/** The server says something every 15 seconds: after this a connection is dead, or something on the way holds it back. */
const SILENCE_MS = 40_000;
/** Then it is opened anew, from the place that a page tells: where entries are rare, the last one's cursor would grow too old to go on from. */
const LONGEST_MS = 3_600_000;
/** One that ends sooner is not opened again at once. */
const SHORTEST_MS = 1000;

/**
 * The feed as server-sent events, until the connection ends, be it how it may. Read by hand: `EventSource` takes no token.
 * → whether anything came: nothing at all is what a proxy lets through that collects answers.
 */
export async function* streamOf<Entry>(
  transport: Transport,
  query: URLSearchParams,
  signal?: AbortSignal,
): AsyncGenerator<Arrived<Entry>, boolean, undefined> {
  const began = performance.now();
  const wanted = { method: 'GET', path: `/changes?${query.toString()}` } as const;
  const response = await transport.open(wanted, {
    headers: { accept: 'text/event-stream' },
    timeoutMs: SILENCE_MS,
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
  const longest = setTimeout(end, LONGEST_MS);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const decoder = new TextDecoder();
  let [rest, hasCome] = ['', false];
  try {
    for (;;) {
      silence = setTimeout(end, SILENCE_MS);
      const { value, done } = await reader.read();
      clearTimeout(silence);
      if (done) break;
      hasCome = true;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      const entries = blocks.map(fieldsOf).filter(({ id }) => id !== undefined);
      const cursor = entries.at(-1)?.id;
      if (cursor !== undefined)
        yield { cursor, data: entries.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Entry])) };
    }
  } catch {
    // Lost: what was on its way is asked for anew. An end that the caller wishes is told by its signal.
    signal?.throwIfAborted();
  } finally {
    clearTimeout(longest);
    clearTimeout(silence);
    end();
  }
  if (performance.now() - began < SHORTEST_MS) await pause(SHORTEST_MS, signal);
  return hasCome;
}

function fieldsOf(block: string): { readonly id?: string; readonly data?: string } {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}

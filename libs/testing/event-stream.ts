import { setTimeout as pause } from 'node:timers/promises';
import type { Entry } from './feed';
import type { Person } from './people';

/**
 * One block of the stream. `data` is null if the block contains only a comment or a position. `id` is the position of
 * the block, or null if the block has none. `text` is the whole block.
 */
export interface StreamEvent {
  readonly id: string | null;
  readonly data: Entry | null;
  readonly text: string;
}

/** GET /changes as server-sent events. The events are read as soon as they arrive. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  ended = false;

  private constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: unknown,
    private readonly aborter: AbortController,
  ) {}

  static async open(
    person: Person,
    query = '',
    headers: Record<string, string> = {},
    origin = person.api.origin,
  ): Promise<EventStream> {
    const aborter = new AbortController();
    const response = await fetch(`${origin}/api/v1/changes${query}`, {
      headers: { authorization: `Bearer ${person.token}`, accept: 'text/event-stream', ...headers },
      signal: aborter.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body: unknown = isStream ? null : await response.json();
    const stream = new EventStream(response.status, response.headers, body, aborter);
    if (isStream && response.body) void stream.read(response.body);
    return stream;
  }

  /** The entries received so far. */
  get entries(): Entry[] {
    return this.events.flatMap(({ data }) => (data === null ? [] : [data]));
  }

  /** Waits until the condition is true. Throws if this takes more than ten seconds. */
  async until(isTrue: (stream: EventStream) => boolean): Promise<void> {
    for (let i = 0; i < 1_000; i++) {
      if (isTrue(this)) return;
      await pause(10);
    }
    throw new Error(
      `the condition did not become true within ten seconds; received: ${JSON.stringify(this.events.map(({ text }) => text))}, ended: ${this.ended}`,
    );
  }

  close(): void {
    this.aborter.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const text of blocks) this.events.push(eventOf(text));
      }
    } catch {
      // The test closed the stream, or the connection was lost.
    }
    this.ended = true;
  }
}

function eventOf(text: string): StreamEvent {
  const lines = text.split('\n');
  const field = (name: string): string | null =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
  const data = field('data');
  return { id: field('id'), data: data === null ? null : (JSON.parse(data) as Entry), text };
}

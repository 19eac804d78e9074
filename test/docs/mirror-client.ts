import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of the OpenAPI document that the client uses. */
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name?: string; readonly schema?: { readonly maximum?: number } }[];
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface EventEntry {
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly object: MirroredEvent | null;
}
export interface MirroredEvent {
  readonly id: string;
  readonly status: string;
}

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as OpenApi;
const TYPES = 'event.created,event.updated,event.cancelled,event.gone';

/**
 * Maintains a copy of the events of a town. The client uses only docs/openapi.json and fetch. It opens one stream of
 * changes, in which each entry contains the changed event. Then it reads the list of events into the copy, and applies
 * the changes to the copy. The client does not check the location of a changed event, so the feed of the token's
 * account must contain only events of the town.
 */
export class TownMirror {
  readonly events = new Map<string, MirroredEvent>();
  /** The number of sent requests. */
  requests = 0;
  /** The number of applied changes. */
  changes = 0;
  private readonly ending = new AbortController();
  private readonly waiting: EventEntry[] = [];
  private hasReadList = false;

  constructor(
    private readonly origin: string,
    private readonly token: string,
    /** `west,south,east,north` */
    private readonly bbox: string,
    private readonly perPage = parameterOf('discoverEvents', 'per_page').schema?.maximum ?? 1,
  ) {}

  /** Returns when the copy is complete. After that, the copy is kept up to date until `stop` is called. */
  async start(): Promise<void> {
    const started = await this.send('listChanges', { include: 'subject', types: TYPES }, 'text/event-stream');
    await this.follow(started.body!);
    let cursor: string | null = null;
    do {
      const query = { bbox: this.bbox, sort: 'created_at', per_page: `${this.perPage}`, ...(cursor && { cursor }) };
      const page = (await (await this.send('discoverEvents', query)).json()) as {
        readonly data: readonly MirroredEvent[];
        readonly meta: { readonly next_cursor: string | null };
      };
      for (const event of page.data) this.events.set(event.id, event);
      cursor = page.meta.next_cursor;
    } while (cursor !== null);
    this.hasReadList = true;
    // Changes that arrived while the list was read are applied last, because each of them may be newer than the list.
    for (const entry of this.waiting.splice(0)) this.apply(entry);
  }

  stop(): void {
    this.ending.abort();
  }

  private apply({ subject, object }: EventEntry): void {
    this.changes++;
    if (object === null || object.status !== 'active') this.events.delete(subject.id);
    else this.events.set(subject.id, object);
  }

  /** Returns after the first message (the starting position), and reads the other messages in the background. */
  private async follow(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    const read = async (): Promise<boolean> => {
      const { done, value = '' } = await reader.read();
      const events = (rest + value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const entry = JSON.parse(data) as EventEntry;
        if (this.hasReadList) this.apply(entry);
        else this.waiting.push(entry);
      }
      return !done;
    };
    await read();
    void (async () => {
      while (await read());
    })().catch(() => undefined);
  }

  private async send(
    operationId: string,
    query: Record<string, string>,
    accept = 'application/json',
  ): Promise<Response> {
    for (const name of Object.keys(query)) parameterOf(operationId, name);
    this.requests++;
    const response = await fetch(`${this.origin}${pathOf(operationId)}?${new URLSearchParams(query).toString()}`, {
      headers: { authorization: `Bearer ${this.token}`, accept, prefer: 'handling=strict' },
      signal: this.ending.signal,
    });
    if (response.status !== 200) throw new Error(`${operationId}: ${response.status} ${await response.text()}`);
    return response;
  }
}

function operationOf(operationId: string): readonly [string, Operation] {
  for (const [path, methods] of Object.entries(DOCUMENT.paths))
    for (const operation of Object.values(methods)) if (operation.operationId === operationId) return [path, operation];
  throw new Error(`the document has no operation ${operationId}`);
}

function pathOf(operationId: string): string {
  return operationOf(operationId)[0];
}

function parameterOf(operationId: string, name: string): NonNullable<Operation['parameters']>[number] {
  const found = operationOf(operationId)[1].parameters?.find((parameter) => parameter.name === name);
  if (!found) throw new Error(`${operationId} has no parameter ${name}`);
  return found;
}

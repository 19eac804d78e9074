import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface Verdict {
  readonly passed: boolean;
  readonly failed: number;
  readonly late: number;
  readonly lost: number;
  readonly doubled: number;
  readonly acknowledged: Record<string, number>;
  readonly sent_twice: number;
}
interface Load {
  sent(n: number): Promise<void>;
  wrote(n: number): Promise<void>;
  phase(name: string): void;
  end(options: { ratio: number }): Promise<Verdict>;
}
type StartLoad = (origins: string[], people: object, options: object) => Load;

const PEOPLE = 8;
/** Maximum duration of a response. It is far above the delay that a busy machine causes. */
const LIMIT_MS = 8_000;
/** Maximum ratio of the latency during the rehearsed operation to the latency before it. */
const RATIO = 30;
const REQUESTS_PER_PHASE = 120;
/**
 * The latency of a slow read. It is less than LIMIT_MS, so a slow read is not late. The latency before the operation
 * counts as at least 50 ms (FLOOR_MS in rehearse/lib/load.mjs). SLOW_MS is more than RATIO × 50 ms, so slow reads
 * exceed the maximum ratio.
 */
const SLOW_MS = 4_000;

/** A fault of the stand-in for the service. The fault begins when the rehearsed operation begins. */
type Fault =
  'none' | 'loses a write' | 'forgets the keys' | 'fails once' | 'is late once' | 'is slow' | 'answers 503 for a while';

/** A stand-in for the service, with the routes that the load uses. */
class StandIn {
  fault: Fault = 'none';
  private readonly stored: Record<string, { person: string; event: string; text: string }[]> = {};
  private readonly joined = new Set<string>();
  private readonly keys = new Set<string>();
  private answered503 = 0;
  private readonly server: Server = createServer((request, answer) => {
    void this.answer(request).then(([status, data, delayMs = 0]) => {
      const headers = status === 503 ? { 'retry-after': '1' } : {};
      setTimeout(() => answer.writeHead(status, headers).end(JSON.stringify({ data })), delayMs);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage): Promise<[status: number, data: unknown, delayMs?: number]> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const person = request.headers.authorization?.replace('Bearer ', '') ?? '';
    let text = '';
    for await (const part of request) text += String(part);
    const [, event = '', rest = ''] = /\/events\/([^/]+)(.*)$/.exec(pathname) ?? [];
    const kind = rest.slice(1) || pathname.split('/').at(-1)!;
    if (request.method === 'POST')
      return this.write(kind, person, event, text, String(request.headers['idempotency-key']));
    const delayMs = this.fault === 'is slow' ? SLOW_MS : 0;
    const page = (all: unknown[]): unknown[] => {
      const from = (Number(searchParams.get('page') ?? 1) - 1) * 100;
      return all.slice(from, from + 100);
    };
    const own = (this.stored[kind] ?? []).filter((one) => one.event === event && (event || one.person === person));
    if (kind === 'participants')
      return [
        200,
        page(
          [...this.joined]
            .filter((one) => one.startsWith(`${event} `))
            .map((one) => ({ user: { slug: one.split(' ')[1] } })),
        ),
      ];
    if (kind === 'comments') return [200, page(own.map(({ text: body }) => ({ body })))];
    if (kind === 'expenses') return [200, { expenses: own.map(({ text: title }) => ({ title })) }];
    if (kind === 'posts') return [200, page(own.map(({ text: title }) => ({ title })))];
    return [200, [], delayMs];
  }

  private write(kind: string, person: string, event: string, sent: string, key: string): [number, unknown, number?] {
    const { body, title } = JSON.parse(sent) as { body?: string; title?: string };
    const isActive = (fault: Fault): boolean => this.fault === fault && kind === 'comments';
    /** Ends the fault, so that it occurs only once. */
    const isActiveOnce = (fault: Fault): boolean => {
      if (!isActive(fault)) return false;
      this.fault = 'none';
      return true;
    };
    if (isActive('answers 503 for a while') && this.answered503++ < 5) return [503, null];
    if (isActiveOnce('loses a write')) return [201, null];
    if (isActiveOnce('fails once')) return [500, null];
    if (this.keys.has(key) && this.fault !== 'forgets the keys') return [201, null];
    this.keys.add(key);
    if (kind === 'join') this.joined.add(`${event} ${person.replace('token', 'person')}`);
    else (this.stored[kind] ??= []).push({ person, event, text: title ?? body ?? '' });
    return [201, null, isActiveOnce('is late once') ? LIMIT_MS + 500 : 0];
  }
}

describe('the load of rehearsals (requests that check the service during an operation)', () => {
  let standIn: StandIn;
  let origin: string;
  let startLoad: StartLoad;
  beforeAll(async () => {
    ({ startLoad } = (await import(join(__dirname, '../../rehearse/lib/load.mjs'))) as { startLoad: StartLoad });
  });
  beforeEach(async () => {
    standIn = new StandIn();
    origin = await standIn.start();
  });
  afterEach(() => standIn.stop());

  const verdict = async (fault: Fault, options: object = {}): Promise<Verdict> => {
    const names = (prefix: string): string[] => Array.from({ length: PEOPLE }, (_, n) => `${prefix}-${n}`);
    const people = { tokens: names('token'), slugs: names('person'), events: names('event') };
    const load = startLoad([origin], people, { perSecond: 250, limitMs: LIMIT_MS, ...options });
    await load.sent(REQUESTS_PER_PHASE);
    standIn.fault = fault;
    load.phase('during');
    await load.sent(REQUESTS_PER_PHASE);
    return load.end({ ratio: RATIO });
  };

  it('accepts a service that stores each write once and responds in time', async () => {
    const { passed, acknowledged, sent_twice } = await verdict('none');
    expect(passed).toBe(true);
    expect(Object.entries(acknowledged).filter(([, n]) => n < 5)).toEqual([]);
    expect(sent_twice).toBeGreaterThan(3);
  });

  it.each<[Fault, object]>([
    ['loses a write', { passed: false, failed: 0, lost: 1, doubled: 0 }],
    ['fails once', { passed: false, failed: 1, late: 0, lost: 0 }],
    ['is late once', { passed: false, failed: 1, late: 1, lost: 0 }],
    ['is slow', { passed: false, failed: 0, late: 0, lost: 0, doubled: 0 }],
    ['answers 503 for a while', { passed: false, lost: 0 }],
  ])('detects a service that %s', async (fault, expected) => {
    expect(await verdict(fault)).toMatchObject(expected);
  });

  it('detects a service that stores a repeated write twice', async () => {
    const { passed, failed, doubled } = await verdict('forgets the keys');
    expect([passed, failed]).toEqual([false, 0]);
    expect(doubled).toBeGreaterThan(0);
  });

  it('retries a 503 with Retry-After if the option `retries` is true', async () => {
    expect(await verdict('answers 503 for a while', { retries: true })).toMatchObject({
      passed: true,
      failed: 0,
      retried: 5,
    });
  });

  it('counts the time in which a request waits for a socket as part of its latency', async () => {
    // Each response takes less time than the limit, so a request can be late only because it waits for a socket.
    expect((await verdict('is slow', { connections: 4 })).late).toBeGreaterThan(0);
  });
});

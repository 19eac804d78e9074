import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { Cable } from '#testing/cable';
import { repetitions } from '#testing/repetitions';
import { respondWith, closeConnection, noResponse, refuse, ScriptedServer, type Turn } from '#testing/scripted-server';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';

const ENDING_METHODS = (['cut', 'stop'] as const).slice(0, repetitions('server_ends'));

interface ReceivedChange {
  readonly cursor: string;
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string; readonly url: string };
  readonly read: () => Promise<unknown>;
}
interface Client {
  readonly changes: (options?: object) => AsyncGenerator<ReceivedChange>;
}

const entry = (cursor: string, type = 'event.updated', url = 'https://elsewhere.example/api/v1/events/a?b=c') => ({
  cursor,
  type,
  at: '',
  by: null,
  subject: { type: 'event', id: 'a', url },
});
const changes = (cursor: string, ...data: object[]): Turn =>
  respondWith(data, { links: {}, meta: { cursor, has_more: false } });
/** Sends the pieces of a stream, and ends the stream if `ends` is true. */
const stream =
  (pieces: readonly string[], ends = true): Turn =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const piece of pieces) response.write(piece);
    if (ends) response.end();
  };
const serverSentEvent = (change: ReturnType<typeof entry>): string =>
  `id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`;

/** Waits until the condition holds, for at most a minute, which is twice the longest pause between two attempts. */
async function until(isReached: () => boolean): Promise<void> {
  for (let i = 0; i < 1_200 && !isReached(); i++) await pause(50);
  expect(isReached()).toBe(true);
}

// DOC-12
describe('client.changes()', () => {
  let sdk: SdkPackage;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the installed package, without its types
  let module: any;
  let script: ScriptedServer;
  beforeAll(async () => {
    sdk = SdkPackage.install();
    module = await sdk.load();
    script = await ScriptedServer.start();
  });
  afterAll(() => {
    script.stop();
    sdk.remove();
  });
  beforeEach(() => script.forget());

  const client = (): Client => new module.EventsClient({ token: 'evt_x', baseUrl: script.origin });

  /** Reads the first `count` changes. */
  async function firstChanges(count: number, options?: object, from = client()): Promise<ReceivedChange[]> {
    const seen: ReceivedChange[] = [];
    for await (const change of from.changes(options)) if (seen.push(change) === count) break;
    return seen;
  }

  it('begins at the current position, continues after the last change, and waits for more changes', async () => {
    script.turns = [changes('c0'), changes('c2', entry('c1'), entry('c2')), changes('c3', entry('c3'))];
    expect(
      (await firstChanges(3, { types: ['event.updated', 'event.gone'], stream: false })).map(({ cursor }) => cursor),
    ).toEqual(['c1', 'c2', 'c3']);
    const types = 'types=event.updated%2Cevent.gone';
    expect(script.requests.map(({ url }) => url)).toEqual([
      `/api/v1/changes?${types}`,
      `/api/v1/changes?cursor=c0&wait=25&${types}`,
      `/api/v1/changes?cursor=c2&wait=25&${types}`,
    ]);
  });

  it('continues after lost connections, server errors and rate limits, and makes more attempts than the other methods of the client', async () => {
    script.turns = [
      closeConnection,
      refuse(500, 'server_error'),
      refuse(503, 'service_unavailable', { 'retry-after': '0' }),
      closeConnection,
      refuse(429, 'too_many_requests', { 'retry-after': '0' }),
      closeConnection,
      changes('c9', entry('c9')),
    ];
    expect(await firstChanges(1, { cursor: 'c8', stream: false })).toHaveLength(1);
    expect(new Set(script.requests.map(({ url }) => url))).toEqual(new Set(['/api/v1/changes?cursor=c8&wait=25']));
  });

  it('reads pages and then a stream, and continues where the stream broke off', async () => {
    const bytes = [entry('c4'), entry('c5'), entry('c6')].map(serverSentEvent).join('');
    script.turns = [
      respondWith([entry('c1')], { links: {}, meta: { cursor: 'c1', has_more: true } }),
      changes('c3', entry('c3')),
      stream(['id: c3\n\n', ':\n\n', bytes.slice(0, 30), bytes.slice(30, 31), bytes.slice(31, -7)]),
      changes('c6', entry('c6')),
      refuse(503, 'service_unavailable', { 'retry-after': '0' }),
      closeConnection,
      stream(['id: c6\r\n\r\n', serverSentEvent(entry('c7')).replaceAll('\n', '\r\n')]),
    ];
    const from = new module.EventsClient({ token: 'evt_x', baseUrl: `${script.origin}/api/v1` });
    expect(
      (await firstChanges(6, { cursor: 'c0', types: ['event.updated'] }, from)).map(({ cursor }) => cursor),
    ).toEqual(['c1', 'c3', 'c4', 'c5', 'c6', 'c7']);
    const streams = script.requests
      .filter(({ headers }) => headers.accept === 'text/event-stream')
      .map(({ url }) => url);
    const at = (cursor: string) => `/api/v1/changes?cursor=${cursor}&types=event.updated`;
    expect([script.requests.slice(0, 4).map(({ url }) => url), streams]).toEqual([
      [at('c0'), at('c1'), at('c3'), at('c5')],
      [at('c3'), at('c6'), at('c6'), at('c6')],
    ]);
  });

  it('yields every change of a stream, even if a text of the change contains a line or paragraph separator of Unicode', async () => {
    const texts = ['a\u2028b', 'c\u2029d'];
    const entries = texts.map((title, at) => ({ ...entry(`c${at + 2}`), object: { title } }));
    script.turns = [changes('c1'), stream(entries.map(serverSentEvent))];
    const seen = await firstChanges(2, { cursor: 'c0', include: 'subject' });
    expect(seen.map((one) => (one as unknown as (typeof entries)[0]).object.title)).toEqual(texts);
  });

  it('uses long polling while no stream is available, and opens no more streams after a stream that ended without content', async () => {
    script.turns = [
      changes('c0'),
      refuse(429, 'too_many_requests', { 'retry-after': '9' }),
      changes('c1', entry('c1')),
      refuse(503, 'server_error', { 'retry-after': '9' }),
      changes('c1'),
      stream([serverSentEvent(entry('c2'))]),
      changes('c2'),
      stream([]),
      changes('c3', entry('c3')),
      changes('c4', entry('c4')),
    ];
    expect((await firstChanges(4)).map(({ cursor }) => cursor)).toEqual(['c1', 'c2', 'c3', 'c4']);
    const requestKinds = (): string[] =>
      script.requests.map(({ headers, url }) => {
        if (headers.accept === 'text/event-stream') return 'stream';
        return url.includes('wait=25') ? 'longPoll' : 'page';
      });
    expect(requestKinds()).toEqual([
      'page',
      'stream',
      'longPoll',
      'stream',
      'longPoll',
      'stream',
      'page',
      'stream',
      'longPoll',
      'longPoll',
    ]);
    script.forget();
    script.turns = [changes('c0'), changes('c0'), changes('c1', entry('c1'))];
    await firstChanges(1);
    expect(requestKinds()).toEqual(['page', 'stream', 'longPoll']);
  });

  it.each(['a page', 'a stream'])(
    'while it reads %s, throws a permanent refusal, or the reason of the AbortSignal if the caller aborts',
    async (where) => {
      const before = where === 'a page' ? [] : [changes('c1')];
      for (const [status, code] of [
        [410, 'cursor_expired'],
        [422, 'validation_failed'],
        [401, 'unauthenticated'],
        [403, 'premium_required'],
      ] as const) {
        script.turns = [...before, refuse(status, code)];
        await expect(firstChanges(1, { cursor: 'old' })).rejects.toMatchObject({ code });
      }
      script.turns = [...before, noResponse];
      await expect(firstChanges(1, { cursor: 'c', signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      script.turns = [...before, stream(['id: c1\n\n'], false)];
      await expect(firstChanges(1, { cursor: 'c', signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
    },
  );

  it('throws UnexpectedAnswer for a response that is not from the API, also in the method `read`', async () => {
    const pages: Turn[] = ["<h1>Sign in to the café's network</h1>", '{}'].map(
      (text) => (response) => response.end(text),
    );
    for (const page of pages) {
      script.turns = [page];
      await expect(firstChanges(1, { cursor: 'c0' })).rejects.toMatchObject({ name: 'UnexpectedAnswer', status: 200 });
      script.turns = [changes('c1', entry('c1')), page];
      const [change] = await firstChanges(1, { cursor: 'c0' });
      await expect(change?.read()).rejects.toMatchObject({ name: 'UnexpectedAnswer', status: 200 });
    }
  });

  it('closes its stream when the program stops reading', async () => {
    let closed = false;
    script.turns = [
      changes('c0'),
      (response) => {
        response.on('close', () => {
          closed = true;
        });
        stream([serverSentEvent(entry('c1'))], false)(response, response.req);
      },
    ];
    await firstChanges(1);
    await until(() => closed);
  });

  it('sends at most one request a second if the server answers long polls immediately and without changes', async () => {
    script.turns = [changes('c1'), changes('c2', entry('c2'))];
    const started = performance.now();
    await firstChanges(1, { cursor: 'c0', stream: false });
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  it('yields changes with a method `read`, which fetches each address once, and only from the configured server', async () => {
    script.turns = [
      changes(
        'c4',
        entry('c1'),
        entry('c2', 'event.cancelled'),
        entry('c3', 'event.gone'),
        entry('c4', 'event.updated', 'https://elsewhere.example/api/v1/events/b'),
      ),
      closeConnection,
      respondWith({ title: 'Tea' }),
      refuse(404, 'not_found'),
    ];
    const [first, second, gone, notFound] = await firstChanges(4, { cursor: 'c0' });
    expect([await first?.read(), await second?.read(), await gone?.read(), await notFound?.read()]).toEqual([
      { data: { title: 'Tea' } },
      { data: { title: 'Tea' } },
      null,
      null,
    ]);
    // The server closes the connection of the first request for event `a`, so this request is sent again. The second
    // `read` uses the stored response.
    expect(script.requests.slice(1).map(({ url }) => url)).toEqual([
      '/api/v1/events/a?b=c',
      '/api/v1/events/a?b=c',
      '/api/v1/events/b',
    ]);
  });

  describe('with a running server', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await TestServer.start();
    });
    afterAll(() => server.stop());

    it('yields the changes that other requests to the API cause', async () => {
      const { jana, petr } = await server.people('jana', 'petr');
      const api = new module.EventsClient({ token: jana.token, baseUrl: server.origin });
      const {
        meta: { cursor },
      } = await api.listChanges();
      const seen = firstChanges(2, { cursor }, api);
      const event = await buildEvent(server, jana, {});
      await petr.api.post(`/events/${event.id}/join`);
      const [created, joined] = await seen;
      expect([created?.type, joined?.type, created?.subject.id]).toEqual([
        'event.created',
        'participant.joined',
        event.id,
      ]);
      expect(await created?.read()).toMatchObject({ data: { id: event.id, current_participants: 2 } });
      expect(await joined?.read()).toMatchObject({ data: expect.any(Array), meta: expect.any(Object) });
    });

    it('continues without missing or repeated changes after the connection to the server was cut or the server was stopped, and another server has replaced it', async () => {
      const { databaseUrl } = server.app.get(Settings);
      const startOnSameDatabase = () =>
        TestServer.start({}, undefined, async () => ({ url: databaseUrl ?? '', drop: async () => undefined }));
      const { jana } = await server.people('jana');
      const started = [await startOnSameDatabase()];
      // For the followers, a cut connection is the same as a killed server.
      const cable = await Cable.to(started[0]!.origin);
      const ending = new AbortController();
      try {
        const api = new module.EventsClient({ token: jana.token, baseUrl: cable.origin });
        const {
          meta: { cursor },
        } = await api.listChanges();
        const written: string[] = [];
        const seen: Record<'stream' | 'longPoll', string[]> = { stream: [], longPoll: [] };
        const followers = (['stream', 'longPoll'] as const).map(async (how) => {
          try {
            for await (const { subject } of api.changes({
              cursor,
              types: ['post.created'],
              stream: how === 'stream',
              signal: ending.signal,
            }))
              seen[how].push(subject.id);
          } catch (error) {
            return (error as Error).name;
          }
          return 'ended';
        });
        // The request is sent to `server`, another server with the same database.
        const write = async () =>
          written.push(
            (
              await jana.api.post('/posts', {
                title: 'What we drank',
                categories: ['mista'],
                body: 'Tea.',
                status: 'published',
              })
            ).body.data.slug,
          );
        const arrived = () =>
          until(() => seen.stream.length >= written.length && seen.longPoll.length >= written.length);
        await write();
        await arrived();
        for (const method of ENDING_METHODS) {
          if (method === 'stop') await started.pop()?.stop();
          cable.cut();
          await write();
          started.push(await startOnSameDatabase());
          cable.connectTo(started.at(-1)!.origin);
          cable.reconnect();
          await write();
          await arrived();
        }
        expect(seen).toEqual({ stream: written, longPoll: written });
        ending.abort();
        expect(await Promise.all(followers)).toEqual(['AbortError', 'AbortError']);
      } finally {
        ending.abort();
        await cable.remove();
        for (const one of started) await one.stop();
      }
    }, 180_000);
  });

  it('has a counterpart for webhooks: `verifiedWebhook` verifies the changes that a webhook sends', async () => {
    symlinkSync(
      join(__dirname, '../../node_modules/standardwebhooks'),
      join(sdk.folder, 'node_modules/standardwebhooks'),
    );
    const { verifiedWebhook } = await import(join(sdk.folder, 'node_modules/@events-service/sdk/dist/webhooks.js'));
    const secret = `whsec_${Buffer.from('a secret of this test alone').toString('base64')}`;
    const body = JSON.stringify({
      type: 'event.updated',
      timestamp: '2026-11-22T00:00:00Z',
      previous: null,
      data: entry('c1'),
    });
    const signed = (at: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    });
    const now = signed(new Date());
    expect(verifiedWebhook(secret, body, now)).toEqual(JSON.parse(body));
    expect(verifiedWebhook(secret, body, new Headers(now))).toEqual(JSON.parse(body));
    expect(() => verifiedWebhook(secret, body.replace('null', '"x"'), now)).toThrow('signature');
    expect(() => verifiedWebhook(secret, body, signed(new Date(Date.now() - 600_000)))).toThrow('too old');
    expect(() => verifiedWebhook(secret, body, {})).toThrow();
  });
});

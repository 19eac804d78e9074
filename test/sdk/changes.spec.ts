import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { buildEvent } from '#testing/builders';
import { give, hangUp, refuse, ScriptedServer, type Turn } from '#testing/scripted-server';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';

interface Seen { readonly cursor: string; readonly type: string; readonly subject: { readonly type: string; readonly id: string; readonly url: string }; readonly read: () => Promise<unknown> }
interface Client { readonly changes: (options?: object) => AsyncGenerator<Seen> }

const entry = (cursor: string, type = 'event.updated', url = 'https://elsewhere.example/api/v1/events/a?b=c') => ({ cursor, type, at: '', by: null, subject: { type: 'event', id: 'a', url } });
const changes = (cursor: string, ...data: object[]): Turn => give(data, { links: {}, meta: { cursor, has_more: false } });

// DOC-12
describe("the SDK's changes", () => {
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

  /** The first few. */
  async function some(count: number, options?: object, from = client()): Promise<Seen[]> {
    const seen: Seen[] = [];
    for await (const change of from.changes(options)) if (seen.push(change) === count) break;
    return seen;
  }

  it('begin now, go on after the last, and wait for more', async () => {
    script.turns = [changes('c0'), changes('c2', entry('c1'), entry('c2')), changes('c3', entry('c3'))];
    expect((await some(3, { types: ['event.updated', 'event.gone'] })).map(({ cursor }) => cursor)).toEqual(['c1', 'c2', 'c3']);
    const types = 'types=event.updated%2Cevent.gone';
    expect(script.got.map(({ url }) => url)).toEqual([`/api/v1/changes?${types}`, `/api/v1/changes?cursor=c0&wait=25&${types}`, `/api/v1/changes?cursor=c2&wait=25&${types}`]);
  });

  it('survive lost connections, failing servers and used-up windows, more than other calls do', async () => {
    script.turns = [hangUp, refuse(500, 'server_error'), refuse(503, 'service_unavailable', { 'retry-after': '0' }), hangUp, refuse(429, 'too_many_requests', { 'retry-after': '0' }), hangUp, changes('c9', entry('c9'))];
    expect(await some(1, { cursor: 'c8' })).toHaveLength(1);
    expect(new Set(script.got.map(({ url }) => url))).toEqual(new Set(['/api/v1/changes?cursor=c8&wait=25']));
  });

  it('end with what is refused for good, and with their signal', async () => {
    script.turns = [refuse(410, 'cursor_expired')];
    await expect(some(1, { cursor: 'old' })).rejects.toMatchObject({ code: 'cursor_expired' });
    script.turns = [() => undefined];
    await expect(some(1, { cursor: 'c', signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ask a server that does not hold them once a second at most', async () => {
    script.turns = [changes('c1'), changes('c2', entry('c2'))];
    const started = performance.now();
    await some(1, { cursor: 'c0' });
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  it('read a subject once a page, at their own server; what is gone is null', async () => {
    script.turns = [changes('c4', entry('c1'), entry('c2', 'event.cancelled'), entry('c3', 'event.gone'), entry('c4', 'event.updated', 'https://elsewhere.example/api/v1/events/b')), hangUp, give({ title: 'Tea' }), refuse(404, 'not_found')];
    const [first, second, gone, lost] = await some(4, { cursor: 'c0' });
    expect([await first?.read(), await second?.read(), await gone?.read(), await lost?.read()]).toEqual([{ data: { title: 'Tea' } }, { data: { title: 'Tea' } }, null, null]);
    expect(script.got.slice(1).map(({ url }) => url)).toEqual(['/api/v1/events/a?b=c', '/api/v1/events/a?b=c', '/api/v1/events/b']);
  });

  it('tell what this server does', async () => {
    const server = await TestServer.start();
    try {
      const { jana, petr } = await server.people('jana', 'petr');
      const api = new module.EventsClient({ token: jana.token, baseUrl: server.origin });
      const { meta: { cursor } } = await api.listChanges();
      const seen = some(2, { cursor }, api);
      const event = await buildEvent(server, jana, {});
      await petr.api.post(`/events/${event.id}/join`);
      const [created, joined] = await seen;
      expect([created?.type, joined?.type, created?.subject.id]).toEqual(['event.created', 'participant.joined', event.id]);
      expect(await created?.read()).toMatchObject({ data: { id: event.id, current_participants: 2 } });
      expect(await joined?.read()).toMatchObject({ data: expect.any(Array), meta: expect.any(Object) });
    } finally {
      await server.stop();
    }
  });

  it('are verified when they come by a webhook', async () => {
    symlinkSync(join(__dirname, '../../node_modules/standardwebhooks'), join(sdk.folder, 'node_modules/standardwebhooks'));
    const { verifiedWebhook } = await import(join(sdk.folder, 'node_modules/events-sdk/dist/webhooks.js'));
    const secret = `whsec_${Buffer.from('a secret of this test alone').toString('base64')}`;
    const body = JSON.stringify({ type: 'event.updated', timestamp: '2026-11-22T00:00:00Z', previous: null, data: entry('c1') });
    const signed = (at: Date) => ({ 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign('msg_1', at, body) });
    const now = signed(new Date());
    expect(verifiedWebhook(secret, body, now)).toEqual(JSON.parse(body));
    expect(verifiedWebhook(secret, body, new Headers(now))).toEqual(JSON.parse(body));
    expect(() => verifiedWebhook(secret, body.replace('null', '"x"'), now)).toThrow('signature');
    expect(() => verifiedWebhook(secret, body, signed(new Date(Date.now() - 600_000)))).toThrow('too old');
    expect(() => verifiedWebhook(secret, body, {})).toThrow();
  });
});

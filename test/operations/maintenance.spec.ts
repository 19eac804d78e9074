import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '#platform/config/settings';
import { RouteTable } from '#platform/http/routes';
import { Maintenance, MAINTENANCE_CACHED_MS } from '#platform/maintenance/maintenance';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { InjectingClient } from '#testing/injected-get';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const MESSAGE = 'New disks until 22:00.';
const METRICS_TOKEN = 'a token for the metrics';

/** OPS-120, OPS-122: maintenance mode. Two servers use one database. */
describe('maintenance', () => {
  let first: TestServer;
  let second: TestServer;
  let commandLine: CommandLine;
  let jana: Person;

  const startServer = () =>
    TestServer.start({ metricsToken: METRICS_TOKEN }, undefined, async () => ({
      url: first.app.get(Settings).databaseUrl ?? '',
      drop: async () => undefined,
    }));

  beforeAll(async () => {
    first = await TestServer.start({ metricsToken: METRICS_TOKEN });
    second = await startServer();
    commandLine = CommandLine.forDatabaseOf(first.app.get(Settings));
    jana = await first.person('jana');
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });
  beforeEach(() => setMaintenance(MESSAGE));
  afterEach(() => setMaintenance(null));

  /** Begins maintenance, or ends it if `message` is null. Waits until every process knows the new state. */
  async function setMaintenance(message: string | null): Promise<void> {
    const maintenance = first.app.get(Maintenance);
    await first.database.transaction((tx) =>
      message === null ? maintenance.end(tx) : maintenance.begin(tx, message, first.clock.now()),
    );
    await pause(MAINTENANCE_CACHED_MS);
  }
  const clientAt = (server: TestServer) => clientOf(server, jana.token);
  const title = (text: string) => ({ title: text });

  it('refuses requests to all writing routes of the API on both servers, and answers reads', async () => {
    await setMaintenance(null);
    const { id } = await buildEvent(first, jana);
    await setMaintenance(MESSAGE);
    for (const server of [first, second]) {
      const routes = server.app
        .get(RouteTable)
        .list()
        .filter(({ method, url }) => url.startsWith('/api/v1/') && !['GET', 'HEAD', 'OPTIONS'].includes(method));
      expect(routes.length).toBeGreaterThan(60);
      for (const { method, url } of routes) {
        const path = url.slice('/api/v1'.length).replace(/:\w+/g, 'abcdefgh');
        const { status, headers, body } = await new InjectingClient(server, jana.token).send(method, path, {
          headers: { 'accept-language': 'en' },
        });
        expect([method, url, status, headers.get('retry-after'), body]).toEqual([
          method,
          url,
          503,
          '60',
          {
            message: `Maintenance is in progress: everything can be read, and nothing can be changed. ${MESSAGE}`,
            code: 'server_error',
          },
        ]);
      }
      expect((await clientAt(server).get(`/events/${id}`)).status).toBe(200);
      expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);
    }
    // Requests that are refused for another reason get the same refusal as without maintenance.
    expect((await first.nobody.post('/events', {})).status).toBe(401);
    expect((await clientAt(first).post('/nothing', {})).status).toBe(404);
    const czech = await clientAt(first).send('POST', '/events', { json: {}, headers: { 'accept-language': 'cs' } });
    expect(czech.body.message).toBe(`Probíhá údržba: vše lze číst, nic nelze měnit. ${MESSAGE}`);

    await setMaintenance(null);
    for (const server of [first, second])
      expect((await clientAt(server).patch(`/events/${id}`, title(`Piknik ${server.origin}`))).status).toBe(200);
  });

  it('applies to a server that starts after maintenance has begun', async () => {
    const third = await startServer();
    const refused = await clientAt(third).post('/events', {});
    await third.stop();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  });

  it('is explained on the pages in both languages, before and after a form is sent', async () => {
    for (const [language, heading, text] of [
      ['en', 'Maintenance in progress', 'you cannot sign in or change anything now'],
      ['cs', 'Probíhá údržba', 'přihlásit se ani nic měnit teď nejde'],
    ] as const) {
      const visitor = new Visitor(second, { 'accept-language': language });
      const form = await visitor.get('/sign-in');
      expect([form.status, form.html.includes(text), form.html.includes(MESSAGE)]).toEqual([200, true, true]);
      const sent = await visitor.submit('/sign-in', { email: 'jana@example.org', password: 'correct horse' });
      expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '60']);
      for (const part of [`<h1>${heading}</h1>`, text, MESSAGE]) expect(sent.html).toContain(part);
      // For a visitor, the start page has no form that changes data, so it does not show the message.
      expect((await visitor.get('/')).html).not.toContain(MESSAGE);
    }
    await setMaintenance(null);
    expect((await new Visitor(second).get('/sign-in')).html).not.toContain(MESSAGE);
  });

  it('refuses to issue tokens to apps', async () => {
    const answer = await fetch(`${first.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'y' }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
  });

  it('allows assistants to call tools that read, and refuses their calls of tools that write', async () => {
    const client = new Client({ name: 'tests', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${jana.token}`, 'accept-language': 'en' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${first.origin}/mcp`), { requestInit }));
    const call = (name: string, values: Record<string, unknown>) => client.callTool({ name, arguments: values });
    expect((await call('my_events', {})).isError ?? false).toBe(false);
    const refused = await call('create_event', { title: 'Piknik', starts_at: '2030-06-01T10:00:00Z' });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([true, expect.stringContaining(MESSAGE)]);
    await client.close();
  });

  // OPS-122
  it('is begun, shown and ended by operators, who can change its message, and is recorded in the audit log', async () => {
    await setMaintenance(null);
    const state = (await commandLine.answer('maintenance', 'on', '--message', MESSAGE)) as { since: string };
    expect(state).toEqual({ on: true, message: MESSAGE, since: expect.stringMatching(/Z$/) as string });
    expect(await commandLine.answer('maintenance', 'show')).toEqual(state);
    await pause(MAINTENANCE_CACHED_MS);
    for (const message of ['🔧'.repeat(300), 'Hned jsme zpět 👩\u200d🔧'])
      expect(await commandLine.answer('maintenance', 'on', '--message', message)).toMatchObject({ message });
    expect(await commandLine.answer('maintenance', 'on', '--message', ' Until 23:00. ', '--as', 'karel')).toEqual({
      ...state,
      message: 'Until 23:00.',
    });
    expect(((await commandLine.answer('doctor')) as { maintenance: object }).maintenance).toEqual({
      ok: true,
      detail: expect.stringMatching(/^on since .*Z: Until 23:00\.$/),
    });
    const metric = async () => /^service_maintenance (\d)$/m.exec(await metrics(second))?.[1];
    expect(await metric()).toBe('1');
    for (const message of ['', ' ', 'x'.repeat(301), 'two\nlines', '\u202eback soon'])
      expect(await commandLine.refusal('maintenance', 'on', '--message', message)).toBe(
        '--message must be one line of 1 to 300 characters, without control and bidi characters.',
      );
    const off = { on: false, message: null, since: null };
    for (const operator of [['--as', 'karel'], []])
      expect(await commandLine.answer('maintenance', 'off', ...operator)).toEqual(off);
    await pause(MAINTENANCE_CACHED_MS);
    expect(await commandLine.answer('maintenance', 'show')).toEqual(off);
    expect(await metric()).toBe('0');
    const [last, before] = (await commandLine.answer('audit')) as {
      action: string;
      reason: string;
      operator: string;
    }[];
    expect([last, before]).toMatchObject([
      { action: 'maintenance off', operator: 'karel' },
      { action: 'maintenance on', reason: 'Until 23:00.', operator: 'karel' },
    ]);
  });

  async function metrics({ origin }: TestServer): Promise<string> {
    return (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();
  }
});

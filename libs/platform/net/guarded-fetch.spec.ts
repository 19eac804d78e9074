import { gzipSync } from 'node:zlib';
import { closeConnection, ScriptedServer, type Turn } from '#testing/scripted-server';
import { guardedFetch, type FetchLimits } from './guarded-fetch';

const LIMITS: FetchLimits = { redirects: 3, within: 20_000, bytes: 65_536, allowPrivate: true };
const redirectTo =
  (location: string, status = 302): Turn =>
  (response) =>
    void response.writeHead(status, { location, 'set-cookie': 'a=b' }).end('elsewhere');
const text =
  (body: string | Buffer, headers: Record<string, string> = {}): Turn =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'Text/Calendar; charset=utf-8', ...headers }).end(body);

// IMP-5
describe('a fetch from an address that an account has given', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  beforeEach(() => server.forget());
  afterAll(() => server.stop());

  const fetchFrom = async (turns: Turn[], limits: Partial<FetchLimits> = {}) => {
    server.turns = turns;
    const result = await guardedFetch(`${server.origin}/a`, 'text/calendar', { ...LIMITS, ...limits }, async () => []);
    return typeof result === 'string' ? result : [result.type, result.content.toString()];
  };

  it('follows three redirects, without cookies', async () => {
    expect(
      await fetchFrom([redirectTo('/b'), redirectTo('c', 301), redirectTo(`${server.origin}/d`, 308), text('x')]),
    ).toEqual(['text/calendar', 'x']);
    expect(server.requests.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/a', undefined],
      ['/b', undefined],
      ['/c', undefined],
      ['/d', undefined],
    ]);
  });

  it('stops at the fourth redirect', async () => {
    expect(await fetchFrom([redirectTo('/b'), redirectTo('/c'), redirectTo('/d'), redirectTo('/e'), text('x')])).toBe(
      'no_answer',
    );
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    'http://10.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://name.test/',
    'ftp://example.org/',
    'https://me:secret@example.org/',
  ])('does not follow a redirect to %s', async (location) => {
    let addresses = 0;
    const limits = {
      ...LIMITS,
      // The first address, which is the server of this test, may be private; all later addresses must be public.
      get allowPrivate() {
        return addresses++ === 0;
      },
    };
    server.turns = [redirectTo(location)];
    const resolve = async () => [{ address: '192.168.1.1', family: 4 as const }];
    expect(await guardedFetch(`${server.origin}/a`, '*/*', limits, resolve)).toBe('address');
    expect(server.requests).toHaveLength(1);
  });

  it('reads a compressed body, and returns no file if the body is too large or cannot be decompressed', async () => {
    const gzipHeaders = { 'content-encoding': 'gzip' };
    expect(await fetchFrom([text(gzipSync('x'), gzipHeaders)])).toEqual(['text/calendar', 'x']);
    expect(await fetchFrom([text(gzipSync(Buffer.alloc(50_000_000)), gzipHeaders)])).toBe('too_large');
    expect(await fetchFrom([text(gzipSync(Buffer.alloc(65_536, 'a')), gzipHeaders)])).toHaveLength(2);
    expect(await fetchFrom([text(Buffer.alloc(65_537))])).toBe('too_large');
    expect(await fetchFrom([text('no gzip', gzipHeaders)])).toBe('no_answer');
  });

  it.each(['unknown', 'constructor', '__proto__'])(
    'returns a body with the unsupported coding %s unchanged',
    async (coding) => {
      expect(await fetchFrom([text('x', { 'content-encoding': coding })])).toEqual(['text/calendar', 'x']);
    },
  );

  it('ends at its time limit during the name lookup, the wait for a response, the redirects or the body', async () => {
    const within = 300;
    const slowBody: Turn = (response) => {
      response.writeHead(200).write('BEGIN');
    };
    const slowRedirects: Turn = (response) => void setTimeout(() => redirectTo('/again')(response, null!), 200);
    expect(await fetchFrom([slowBody], { within })).toBe('no_answer');
    expect(await fetchFrom([() => undefined], { within })).toBe('no_answer');
    expect(await fetchFrom([slowRedirects, slowRedirects, slowRedirects], { within })).toBe('no_answer');
    const never = new Promise<never>(() => undefined);
    expect(await guardedFetch('https://name.test/', '*/*', { ...LIMITS, within }, () => never)).toBe('no_answer');
  });

  it('returns no file if the other server disconnects or responds with an error', async () => {
    const halfResponse: Turn = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    const missing: Turn = (response) => void response.writeHead(404).end('x');
    for (const turn of [closeConnection, halfResponse, missing]) expect(await fetchFrom([turn])).toBe('no_answer');
  });

  it('treats webcal: as https:', async () => {
    const limits = { ...LIMITS, allowPrivate: false };
    const resolvedNames: string[] = [];
    const resolve = async (name: string) => {
      resolvedNames.push(name);
      return [];
    };
    expect(await guardedFetch('webcal://name.test/a.ics', '*/*', limits, resolve)).toBe('address');
    expect(resolvedNames).toEqual(['name.test']);
  });
});

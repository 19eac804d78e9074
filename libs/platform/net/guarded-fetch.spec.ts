import { gzipSync } from 'node:zlib';
import { closeConnection, ScriptedServer, type Turn } from '#testing/scripted-server';
import { guardedFetch, type FetchLimits } from './guarded-fetch';

const LIMITS: FetchLimits = { redirects: 3, within: 20_000, bytes: 65_536, allowPrivate: true };
const to =
  (location: string, status = 302): Turn =>
  (response) =>
    void response.writeHead(status, { location, 'set-cookie': 'a=b' }).end('elsewhere');
const text =
  (body: string | Buffer, headers: Record<string, string> = {}): Turn =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'Text/Calendar; charset=utf-8', ...headers }).end(body);

// IMP-5
describe('a fetch from an address that an account has given', () => {
  let other: ScriptedServer;
  beforeAll(async () => {
    other = await ScriptedServer.start();
  });
  beforeEach(() => other.forget());
  afterAll(() => other.stop());

  const fetchFrom = async (turns: Turn[], limits: Partial<FetchLimits> = {}) => {
    other.turns = turns;
    const result = await guardedFetch(`${other.origin}/a`, 'text/calendar', { ...LIMITS, ...limits }, async () => []);
    return typeof result === 'string' ? result : [result.type, result.content.toString()];
  };

  it('follows three redirects, without cookies', async () => {
    expect(await fetchFrom([to('/b'), to('c', 301), to(`${other.origin}/d`, 308), text('x')])).toEqual([
      'text/calendar',
      'x',
    ]);
    expect(other.requests.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/a', undefined],
      ['/b', undefined],
      ['/c', undefined],
      ['/d', undefined],
    ]);
  });

  it('stops at the fourth redirect', async () => {
    expect(await fetchFrom([to('/b'), to('/c'), to('/d'), to('/e'), text('x')])).toBe('no_answer');
    expect(other.requests).toHaveLength(4);
  });

  it.each([
    'http://10.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://name.test/',
    'ftp://example.org/',
    'https://me:secret@example.org/',
  ])('checks the address of a redirect to %s in the same way as the first address', async (location) => {
    let addresses = 0;
    const limits = {
      ...LIMITS,
      // The check allows only the first server, which is that of this test.
      get allowPrivate() {
        return addresses++ === 0;
      },
    };
    other.turns = [to(location)];
    const resolve = async () => [{ address: '192.168.1.1', family: 4 as const }];
    expect(await guardedFetch(`${other.origin}/a`, '*/*', limits, resolve)).toBe('address');
    expect(other.requests).toHaveLength(1);
  });

  it('reads a compressed body, and stops when it decompresses to more than the limit', async () => {
    const gzipHeaders = { 'content-encoding': 'gzip' };
    expect(await fetchFrom([text(gzipSync('x'), gzipHeaders)])).toEqual(['text/calendar', 'x']);
    expect(await fetchFrom([text(gzipSync(Buffer.alloc(50_000_000)), gzipHeaders)])).toBe('too_large');
    expect(await fetchFrom([text(gzipSync(Buffer.alloc(65_536, 'a')), gzipHeaders)])).toHaveLength(2);
    expect(await fetchFrom([text(Buffer.alloc(65_537))])).toBe('too_large');
    expect(await fetchFrom([text('no gzip', gzipHeaders)])).toBe('no_answer');
  });

  it('ends at its time limit, in every phase of the response', async () => {
    const within = 300;
    const slowBody: Turn = (response) => {
      response.writeHead(200).write('BEGIN');
    };
    const slowRedirects: Turn = (response) => void setTimeout(() => to('/again')(response, null!), 200);
    expect(await fetchFrom([slowBody], { within })).toBe('no_answer');
    expect(await fetchFrom([() => undefined], { within })).toBe('no_answer');
    expect(await fetchFrom([slowRedirects, slowRedirects, slowRedirects], { within })).toBe('no_answer');
    const never = new Promise<never>(() => undefined);
    expect(await guardedFetch('https://name.test/', '*/*', { ...LIMITS, within }, () => never)).toBe('no_answer');
  });

  it('returns no file if the other server disconnects or responds with an error', async () => {
    const half: Turn = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    const missing: Turn = (response) => void response.writeHead(404).end('x');
    for (const turn of [closeConnection, half, missing]) expect(await fetchFrom([turn])).toBe('no_answer');
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

import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

describe('compressed responses', () => {
  let server: TestServer;
  let jana: Person;
  let longEventId: string;

  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    ({ id: longEventId } = await buildEvent(server, jana, { description: `<p>${'dlouhý text '.repeat(300)}</p>` }));
  });
  afterAll(() => server.stop());

  /** Sends a request without `fetch`, because `fetch` would decompress the response. */
  function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: unknown): Promise<Raw> {
    return new Promise((resolve, reject) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = request(`${server.origin}${path}`, { method, headers: { ...json, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
  const sendToApi = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: unknown) =>
    send(`/api/v1${path}`, { authorization: `Bearer ${jana.token}`, ...headers }, method, body);
  const DECODE = { br: brotliDecompressSync, gzip: gunzipSync } as const;

  // WIRE-52
  it.each(['br', 'gzip'] as const)(
    'in %s are shorter than uncompressed responses, and have the same content and ETag',
    async (coding) => {
      const accept = { 'accept-encoding': coding };
      for (const path of [`/events/${longEventId}`, '/events', '/discover/events']) {
        const [uncompressed, compressed, head] = [
          await sendToApi(path),
          await sendToApi(path, accept),
          await sendToApi(path, accept, 'HEAD'),
        ];
        expect(uncompressed.headers['content-encoding']).toBeUndefined();
        if (uncompressed.bytes.length < LIMITS.transport.compression_min_bytes) {
          expect(compressed.headers['content-encoding']).toBeUndefined();
          continue;
        }
        expect([
          compressed.headers['content-encoding'],
          compressed.headers['content-type'],
          compressed.headers['content-length'],
        ]).toEqual([coding, uncompressed.headers['content-type'], String(compressed.bytes.length)]);
        expect(DECODE[coding](compressed.bytes).toString()).toBe(uncompressed.bytes.toString());
        expect(compressed.bytes.length).toBeLessThan(uncompressed.bytes.length / 2);
        for (const answer of [uncompressed, compressed, head]) {
          expect([answer.headers.etag, answer.headers.vary]).toEqual([
            uncompressed.headers.etag,
            'Authorization, Accept-Language, Accept-Encoding',
          ]);
        }
        expect([
          head.status,
          head.bytes.length,
          head.headers['content-encoding'],
          head.headers['content-length'],
        ]).toEqual([200, 0, coding, compressed.headers['content-length']]);
        const notModified = await sendToApi(path, { ...accept, 'if-none-match': String(uncompressed.headers.etag) });
        expect([
          notModified.status,
          notModified.bytes.length,
          notModified.headers['content-encoding'],
          notModified.headers.vary,
        ]).toEqual([304, 0, undefined, compressed.headers.vary]);
      }
    },
  );

  // WIRE-52, PAGE-36
  it.each(['br', 'gzip'] as const)(
    'are sent in %s for pages and calendars, and have the same content as uncompressed responses',
    async (coding) => {
      for (const path of ['/', `/events/${longEventId}`, `/events/${longEventId}.ics`]) {
        const [uncompressed, compressed] = await Promise.all([
          send(path, { accept: 'text/html' }),
          send(path, { accept: 'text/html', 'accept-encoding': coding }),
        ]);
        expect([path, compressed.status, compressed.headers['content-encoding']]).toEqual([path, 200, coding]);
        expect(DECODE[coding](compressed.bytes).toString()).toBe(uncompressed.bytes.toString());
        expect(uncompressed.headers['content-encoding']).toBeUndefined();
        for (const { headers } of [uncompressed, compressed]) expect(headers.vary).toMatch(/(^|, )Accept-Encoding$/);
      }
    },
  );

  // WIRE-52
  it('are not sent if the text is short or if the client accepts neither br nor gzip', async () => {
    const uncompressed = await sendToApi('/limits?x', { 'accept-encoding': 'identity' });
    expect(uncompressed.headers['content-encoding']).toBeUndefined();
    const user = await sendToApi('/user', { 'accept-encoding': 'br, gzip' });
    expect([
      user.bytes.length < LIMITS.transport.compression_min_bytes,
      user.headers['content-encoding'],
      user.headers.vary,
    ]).toEqual([true, undefined, 'Authorization, Accept-Language']);
    for (const none of ['deflate', 'identity', 'br;q=0'])
      expect(
        (await sendToApi(`/events/${longEventId}`, { 'accept-encoding': none })).headers['content-encoding'],
      ).toBeUndefined();
  });

  // WIRE-52, RETRY-3, RETRY-21
  it('are also sent for write requests, with an ETag that is valid in If-Match', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const {
      headers: { etag },
    } = await sendToApi(`/events/${longEventId}`, accept);
    const patch = (title: string, headers: Record<string, string>) =>
      sendToApi(`/events/${longEventId}`, { ...accept, ...headers }, 'PATCH', { title });
    const first = await patch('Po stlačení', { 'if-match': String(etag), 'idempotency-key': 'compressed' });
    const repeated = await patch('Po stlačení', { 'idempotency-key': 'compressed' });
    expect([first.status, first.headers['content-encoding'], repeated.headers['idempotency-replayed']]).toEqual([
      200,
      'gzip',
      'true',
    ]);
    expect(gunzipSync(repeated.bytes)).toEqual(gunzipSync(first.bytes));
    expect((await patch('A dál', { 'if-match': String(first.headers.etag) })).status).toBe(200);
  });
});

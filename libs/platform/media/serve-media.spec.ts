import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { FakeS3 } from '#testing/fake-s3';
import { RawConnection } from '#testing/raw-http';
import { Refusal } from '../http/refusal';
import { openStorage } from '../storage/open-storage';
import type { Storage } from '../storage/storage';
import { newMediaKey, posterOf } from '../storage/media-key';
import { serveMedia } from './serve-media';

const NOT_FOUND = { code: 'not_found', message: expect.any(String) };

// WIRE-49
describe.each(['local', 's3'] as const)('GET /media, with the storage %s', (kind) => {
  let dataDir: string;
  let s3: FakeS3;
  let storage: Storage;
  let fastify: FastifyInstance;
  let origin: string;
  const video = newMediaKey('mp4');
  const hiddenKeys = new Set<string>();

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
    process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
    dataDir = await mkdtemp(join(tmpdir(), 'serve-'));
    s3 = new FakeS3();
    const bucket = { bucket: 'pictures', endpoint: await s3.start(), region: 'eu-central-1' };
    storage = await openStorage({ dataDir, storage: { kind, ...bucket } });
    await writeFile(join(dataDir, 'source'), '0123456789');
    await storage.write(video, join(dataDir, 'source'), 'video/mp4');
    await storage.write(posterOf(video), join(dataDir, 'source'), 'image/jpeg');
    // This file is in the same folder or bucket, but the service has not created it. It must not be served.
    await storage.write('secret.txt', join(dataDir, 'source'), 'text/plain');
    fastify = Fastify();
    fastify.decorateRequest('caller', null);
    serveMedia(fastify, storage, async (key) => {
      if (hiddenKeys.has(key)) throw new Refusal('not_found');
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    fastify.server.closeAllConnections();
    await fastify.close();
    await s3.stop();
    await rm(dataDir, { recursive: true });
  });

  const get = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${origin}/media/${file}`, { method, headers });

  it('serves the whole file with its exact type, and allows caches to store it for a year', async () => {
    const answer = await get(video);
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      etag: `"${video}"`,
    });
    expect((await get(posterOf(video))).headers.get('content-type')).toBe('image/jpeg');
  });

  it('serves neither a hidden video nor its poster, and sends no 304 for them', async () => {
    hiddenKeys.add(video);
    try {
      expect(
        await Promise.all(
          [get(video), get(posterOf(video)), get(video, { 'if-none-match': '*' })].map(
            async (answer) => (await answer).status,
          ),
        ),
      ).toEqual([404, 404, 404]);
    } finally {
      hiddenKeys.delete(video);
    }
    expect((await get(video)).status).toBe(200);
  });

  it('responds to HEAD without the content of the file', async () => {
    const answer = await get(video, {}, 'HEAD');
    expect([
      answer.status,
      await answer.text(),
      answer.headers.get('content-length'),
      answer.headers.get('content-type'),
    ]).toEqual([200, '', '10', 'video/mp4']);
    expect((await get(newMediaKey('jpg'), {}, 'HEAD')).status).toBe(404);
  });

  it.each([`"${video}"`, `W/"${video}"`, '*', `"other", "${video}"`])(
    'responds with 304 to If-None-Match %s',
    async (etag) => {
      const answer = await get(video, { 'if-none-match': etag });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', `"${video}"`]);
    },
  );

  it('serves the file if If-None-Match contains only another tag', async () => {
    expect((await get(video, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    // The unit of a range may have capital letters (RFC 9110).
    ['Bytes=0-3', '0123', 'bytes 0-3/10'],
  ])('serves the range %s', async (range, text, contentRange) => {
    const answer = await get(video, { range });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      206,
      text,
      contentRange,
    ]);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
  });

  it.each(['bytes=0-1,3-4', 'bytes=-', 'bytes=5-2', 'pages=1-2', 'bytes=a-b', 'bytes=99999999999999999999-'])(
    'ignores the range %s, and serves the whole file',
    async (range) => {
      const answer = await get(video, { range });
      expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    },
  );

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('responds with 416 for the range %s', async (range) => {
    const answer = await get(video, { range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  it('serves the range only if `If-Range` contains the tag of the file, otherwise the whole file', async () => {
    expect((await get(video, { range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200);
    expect((await get(video, { range: 'bytes=0-3', 'if-range': `"${video}"` })).status).toBe(206);
  });

  it.each([
    newMediaKey('jpg'),
    'secret.txt',
    `${'a'.repeat(40)}.svg`,
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2fsecret.txt',
    `${video}%00.jpg`,
    `${video}%2f`,
    `${video}.0a1b2c.part`,
  ])('responds with 404 for the name %s', async (file) => {
    const answer = await get(file);
    expect([answer.status, await answer.json()]).toEqual([404, NOT_FOUND]);
    expect(answer.headers.get('cache-control')).toBeNull();
  });

  it('refuses a path that is not a file name', async () => {
    const raw = await RawConnection.to(origin);
    await raw.send('GET /media/../files/../source HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await raw.answer()).toMatchObject({ status: 404 });
    raw.abort();
  });
});

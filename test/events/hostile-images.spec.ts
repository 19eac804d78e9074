import sharp from 'sharp';
import { Storage } from '#platform/storage/storage';
import { buildEvent } from '#testing/builders';
import {
  animatedGif,
  cmykJpeg,
  headerBomb,
  jpegWithBrokenProfile,
  NOT_PICTURES,
  noisyJpeg,
  phonePhoto,
  picture,
  polyglot,
  transparentPng,
} from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const FORBIDDEN_TEXTS = [
  'SecretCam',
  'GPS',
  'Exif',
  'ICC_PROFILE',
  'http://ns.adobe.com',
  '<script',
  '<?php',
  'PK\x03\x04',
  '%PDF',
  'SECRET',
];

/** Files that must be refused. The files in `ACCEPTED` must be accepted, and stored without metadata. */
const REFUSED: Record<string, () => Promise<Buffer> | Buffer> = {
  ...Object.fromEntries(
    Object.entries(NOT_PICTURES)
      .filter(([name]) => name !== 'empty')
      .map(([name, bytes]) => [name, () => bytes]),
  ),
  'a header that declares 3.6 gigapixels': () => headerBomb(),
  'a header with an excessive width': () => headerBomb(4_000_000, 1),
  'a header with height zero': () => headerBomb(1, 0),
  'a header with the largest possible width and height': () => headerBomb(2 ** 32 - 1, 2 ** 32 - 1),
  'a valid header with too little image data': () => headerBomb(2000, 2000),
  'half a PNG': async () => (await picture('png', { width: 300, height: 300 })).subarray(0, 90),
  'half a JPEG': async () => (await picture('jpeg', { width: 300, height: 300 })).subarray(0, 300),
  'half a WebP': async () => (await picture('webp', { width: 300, height: 300 })).subarray(0, 60),
  'half an AVIF': async () => (await picture('avif', { width: 300, height: 300 })).subarray(0, 200),
  'a GIF with a script instead of pixels': () => Buffer.from('GIF89a/*\x00\x00*/=1;alert(1)//', 'latin1'),
  'a TIFF': () =>
    sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
      .tiff()
      .toBuffer(),
  'an archive': () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(200, 7)]),
  'an SVG after a byte order mark and blank lines': () =>
    Buffer.concat([Buffer.from('\xef\xbb\xbf\n\n', 'latin1'), NOT_PICTURES['svg'] as Buffer]),
  'an SVG with an entity bomb': () =>
    Buffer.from(
      `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "${'&a;'.repeat(99)}">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>${'&b;'.repeat(99)}</text></svg>`,
    ),
  'an SVG that includes a file': () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="file:///etc/passwd"/></svg>',
    ),
  'a picture in ImageMagick’s language': () =>
    Buffer.from(
      'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://127.0.0.1/x.jpg"|ls "-la)\'\npop graphic-context',
    ),
  'a BMP': () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(200, 1)]),
  'an icon': () => Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(100, 1)]),
  'a PSD': () => Buffer.concat([Buffer.from('8BPS\0\x01', 'latin1'), Buffer.alloc(100, 1)]),
};

const ACCEPTED: Record<string, () => Promise<Buffer>> = {
  'a phone’s photo with metadata about position and camera': () => phonePhoto(),
  'a photo with a comment': async () => withComment(await picture('jpeg')),
  'a JPEG with a script after its end': () => polyglot('<script>alert(1)</script>'),
  'a JPEG that is also PHP': () => polyglot('<?php system($_GET[0]); ?>'),
  'a JPEG that is also an archive': () => polyglot(Buffer.from('PK\x03\x04SECRET', 'latin1')),
  'a JPEG that is also a PDF': () => polyglot('%PDF-1.4 SECRET'),
  'a PNG with Exif and XMP metadata': async () => withMetadata(await picture('png')),
  'a JPEG with an invalid colour profile': () => jpegWithBrokenProfile(),
  'a GIF with a thousand frames': () => animatedGif(1000),
  'a CMYK picture': () => cmykJpeg(),
  'a half-transparent picture': () => transparentPng(),
  'a JPEG with five megabytes of noise': () => noisyJpeg(5 * 1024 * 1024 - 1000, { width: 2000, height: 1500 }),
};

async function withComment(jpeg: Buffer): Promise<Buffer> {
  const text = Buffer.from('SECRET comment <script>');
  const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

async function withMetadata(png: Buffer): Promise<Buffer> {
  return sharp(png)
    .withExif({ IFD0: { Copyright: 'SECRET <script>' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET</x:xmpmeta>')
    .png()
    .toBuffer();
}

/** WIRE-46, WIRE-47: these tests upload at least forty malicious, broken or unusual files as images of an event. */
describe('malicious, broken and unusual images', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  const send = (id: string, bytes: Buffer) =>
    jana.api.upload(`/events/${id}/images`, [
      ['images[]', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), '../../etc/cron.d/photo.php.jpg\0.svg'],
    ]);
  async function storedNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of server.app.get(Storage).list()) names.push(name);
    return names;
  }
  async function bytesOf(name: string): Promise<Buffer> {
    const stream = await server.app.get(Storage).read(name);
    const chunks: Buffer[] = [];
    for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  it('are tested with at least forty files', () =>
    expect(Object.keys(REFUSED).length + Object.keys(ACCEPTED).length).toBeGreaterThanOrEqual(40));

  // WIRE-46, WIRE-48
  it.each(Object.entries(REFUSED))('are refused and not stored: %s', async (_, bytes) => {
    const event = await buildEvent(server, jana);
    const before = await storedNames();
    const answer = await send(event.id, await bytes());
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
      422,
      'validation_failed',
      ['images.0'],
    ]);
    expect(await storedNames()).toEqual(before);
    expect(await server.sql(`SELECT key FROM media_files WHERE state <> 'kept'`)).toEqual([]);
  });

  // WIRE-47
  it.each(Object.entries(ACCEPTED))('are accepted and stored without metadata: %s', async (_, bytes) => {
    const event = await buildEvent(server, jana);
    const answer = await send(event.id, await bytes());
    expect(answer.status).toBe(201);
    for (const url of [answer.body.data[0].url, answer.body.data[0].thumb_url] as string[]) {
      expect(url).toMatch(/\/media\/[0-9a-f]{40}(-thumb)?\.(jpg|webp)$/);
      const file = await bytesOf(url.slice(url.lastIndexOf('/') + 1));
      const { exif, icc, xmp, iptc, pages, width, height } = await sharp(file).metadata();
      expect({ exif, icc, xmp, iptc }).toEqual({});
      expect([pages ?? 1, Math.max(width, height) <= 2048]).toEqual([1, true]);
      const text = file.toString('latin1');
      // Large files are not searched for strings of three letters, because a short string can occur in a large file by
      // chance.
      const searched = FORBIDDEN_TEXTS.filter((secret) => secret.length > 3 || text.length < 500_000);
      expect(searched.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('need less than 600 MB of additional memory when all of them are uploaded in parallel', async () => {
    const event = await buildEvent(server, jana);
    const all = await Promise.all(
      [...Object.values(REFUSED), ...Object.values(ACCEPTED)].map(async (bytes) => bytes()),
    );
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(all.map((bytes) => send(event.id, bytes)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(Object.keys(ACCEPTED).length);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(Object.keys(REFUSED).length);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(600);
  });
});

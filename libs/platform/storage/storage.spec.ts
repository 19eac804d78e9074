import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FakeS3 } from '#testing/fake-s3';
import { ServiceBusy } from '../http/service-busy';
import { LocalStorage } from './local-storage';
import { openStorage } from './open-storage';
import { S3Storage } from './s3-storage';
import type { Storage } from './storage';

/** Both kinds of storage, behind one interface and held to one set of tests. */
describe.each(['local', 's3'] as const)('storage: %s', (kind) => {
  let dataDir: string;
  let source: string;
  let s3: FakeS3;
  let files: Storage;

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID ??= 'test';
    process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
    dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
    source = join(dataDir, 'source');
    s3 = new FakeS3();
    const bucket = { bucket: 'pictures', endpoint: await s3.start(), region: 'eu-central-1' };
    files = await openStorage({ dataDir, storage: { kind, ...bucket } });
  });

  beforeEach(() => writeFile(source, '0123456789'));

  afterAll(async () => {
    await s3.stop();
    await rm(dataDir, { recursive: true });
  });

  const names = async () => {
    const found: string[] = [];
    for await (const file of files.list()) found.push(file.name);
    return found.sort();
  };
  const text = async (name: string, range?: { start: number; end: number }) => {
    const stream = await files.read(name, range);
    return stream && (await buffer(stream)).toString();
  };

  it('is the kind that was asked for', () => {
    expect(files).toBeInstanceOf(kind === 'local' ? LocalStorage : S3Storage);
  });

  it('gives back what was written, whole and in ranges', async () => {
    await files.write('picture-a.jpg', source, 'image/jpeg');
    expect(await text('picture-a.jpg')).toBe('0123456789');
    expect(await text('picture-a.jpg', { start: 2, end: 4 })).toBe('234');
    expect(await files.size('picture-a.jpg')).toBe(10);
    if (kind === 's3') expect(s3.objects.get('picture-a.jpg')?.contentType).toBe('image/jpeg');
  });

  it('knows no file that was not written', async () => {
    expect(await files.read('nothing.jpg')).toBeNull();
    expect(await files.size('nothing.jpg')).toBeNull();
    await expect(files.remove('nothing.jpg')).resolves.toBeUndefined();
  });

  it('forgets what was removed', async () => {
    await files.write('picture-b.jpg', source, 'image/jpeg');
    await files.remove('picture-b.jpg');
    expect(await files.read('picture-b.jpg')).toBeNull();
    expect(await names()).not.toContain('picture-b.jpg');
  });

  it('lists everything, over several pages, with the time of writing', async () => {
    const written = ['aa1.jpg', 'aa2.jpg', 'bb1.jpg', 'bb2.jpg', 'cc1.mp4', 'dd1.webp', 'ee1.jpg'];
    for (const name of written) await files.write(name, source, 'image/jpeg');
    expect(await names()).toEqual(expect.arrayContaining(written));
    for await (const { modifiedAt } of files.list()) expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(600_000);
  });

  it('leaves nothing behind when the source cannot be read', async () => {
    const before = await names();
    await expect(files.write('picture-c.jpg', join(dataDir, 'missing'), 'image/jpeg')).rejects.toThrow();
    expect(await names()).toEqual(before);
  });

  it.each(['../escape', 'a/b.jpg', '/etc/passwd', '..', '.hidden', 'a\0b.jpg', '', 'A.jpg', 'a\\b.jpg', 'a%2fb'])('refuses %j as a name', async (name) => {
    await expect(files.write(name, source, 'image/jpeg')).rejects.toThrow('not a name');
    await expect(files.read(name)).rejects.toThrow('not a name');
    await expect(files.size(name)).rejects.toThrow('not a name');
    await expect(files.remove(name)).rejects.toThrow('not a name');
    expect(await readdir(dataDir)).toEqual(expect.not.arrayContaining(['escape']));
  });
});

describe('a bucket', () => {
  let s3: FakeS3;
  let bucket: Storage;
  let folder: string;

  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID ??= 'test';
    process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
    folder = await mkdtemp(join(tmpdir(), 'bucket-'));
    await writeFile(join(folder, 'source'), '0123456789');
    s3 = new FakeS3();
    bucket = await openStorage({ dataDir: folder, storage: { kind: 's3', bucket: 'pictures', endpoint: await s3.start() } });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const everything = () => [
    bucket.write('picture-a.jpg', join(folder, 'source'), 'image/jpeg'), bucket.read('picture-a.jpg'), bucket.size('picture-a.jpg'), bucket.remove('picture-a.jpg'),
  ].map((work) => expect(work).rejects);

  // OPS-11
  it.each([['fails', 503], ['refuses us', 403], ['does not exist', 404]])('that %s is busy', async (_, status) => {
    s3.failure = status;
    await Promise.all(everything().map((rejection) => rejection.toBeInstanceOf(ServiceBusy)));
    s3.failure = null;
    expect(await bucket.size('picture-a.jpg')).toBeNull();
  });

  // OPS-11
  it('that fails once is asked a second time, and not a third', async () => {
    s3.hiccups = 1;
    await bucket.write('picture-d.jpg', join(folder, 'source'), 'image/jpeg');
    s3.hiccups = 1;
    expect(await bucket.size('picture-d.jpg')).toBe(10);
    s3.hiccups = 2;
    await expect(bucket.size('picture-d.jpg')).rejects.toBeInstanceOf(ServiceBusy);
    expect(s3.hiccups).toBe(0);
  });

  it('that is not there is busy', async () => {
    await s3.stop();
    await Promise.all(everything().map((rejection) => rejection.toMatchObject({ retryAfter: 10, text: { key: 'files_unavailable' } })));
  });
});

describe('local storage', () => {
  it('is empty before its folder exists', async () => {
    const files = new LocalStorage(join(tmpdir(), 'storage-that-is-not-there'));
    for await (const file of files.list()) throw new Error(file.name);
    expect(await files.size('aaa.jpg')).toBeNull();
  });
});

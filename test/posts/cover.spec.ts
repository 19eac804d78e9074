import { disagreements, isServed } from '#testing/files-and-rows';
import { noisyJpeg, picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/**
 * POST-9: the cover. When a cover is replaced or deleted, its files and their row in `media_files` are deleted
 * (WIRE-48).
 */
describe('the cover of a post', () => {
  let server: TestServer;
  let jana: Person;
  let path: string;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  beforeEach(async () => {
    const { body } = await jana.api.post('/posts', {
      title: 'S obrázkem',
      categories: ['mista'],
      body: 'Text',
      status: 'published',
    });
    path = `/posts/${body.data.slug}`;
  });
  afterAll(() => server.stop());

  const send = async (data: Buffer | string, name = 'cover') =>
    jana.api.upload(`${path}/cover`, [[name, typeof data === 'string' ? data : new Blob([new Uint8Array(data)])]]);
  const fileDifferences = () => disagreements(server);

  // POST-9
  it('has a thumbnail, and its files are deleted when the cover is replaced or removed', async () => {
    const first = await send(await picture('jpeg'));
    expect(first.status).toBe(200);
    const { cover_url, cover_thumb_url } = first.body.data;
    expect((await jana.api.get(path)).body).toEqual(first.body);
    expect([await isServed(server, cover_url), await isServed(server, cover_thumb_url)]).toEqual([true, true]);

    const second = (await send(await picture('png'))).body.data;
    expect(second.cover_url).not.toBe(cover_url);
    expect([
      await isServed(server, cover_url),
      await isServed(server, cover_thumb_url),
      await isServed(server, second.cover_url),
    ]).toEqual([false, false, true]);

    expect((await jana.api.delete(`${path}/cover`)).status).toBe(204);
    expect((await jana.api.get(path)).body.data).toMatchObject({ cover_url: null, cover_thumb_url: null });
    expect(await isServed(server, second.cover_url)).toBe(false);
    expect((await jana.api.delete(`${path}/cover`)).status).toBe(204);
    expect(await fileDifferences()).toEqual([]);
  });

  // POST-6, POST-9
  it('changes `updated_at` of the post when the cover is set or removed', async () => {
    const updatedAt = async (): Promise<string> => {
      server.clock.forward(60_000);
      return (await jana.api.get(path)).body.data.updated_at;
    };
    const times = [await updatedAt()];
    await send(await picture('jpeg'));
    times.push(await updatedAt());
    await jana.api.delete(`${path}/cover`);
    times.push(await updatedAt());
    expect(new Set(times).size).toBe(3);
    await jana.api.delete(`${path}/cover`);
    expect(await updatedAt()).toBe(times[2]);
  });

  // POST-9
  it('is deleted together with the post', async () => {
    const { cover_url } = (await send(await picture('jpeg'))).body.data;
    expect((await jana.api.delete(path)).status).toBe(204);
    expect(await isServed(server, cover_url)).toBe(false);
    expect((await jana.api.get(path)).status).toBe(404);
  });

  // POST-9
  it('does not change when another file is refused', async () => {
    const { cover_url } = (await send(await picture('jpeg'))).body.data;
    const refused = [
      await send(Buffer.from('no picture')),
      await send('a text'),
      await send(await picture('jpeg'), 'image'),
      await jana.api.post(`${path}/cover`, {}),
    ];
    for (const { status, body } of refused)
      expect([status, Object.keys(body.errors as object)]).toEqual([422, ['cover']]);
    expect((await jana.api.get(path)).body.data.cover_url).toBe(cover_url);
    expect(await isServed(server, cover_url)).toBe(true);
    expect(await fileDifferences()).toEqual([]);
  });

  // POST-9
  it('can have at most 5 MB', async () => {
    const refused = await send(Buffer.alloc(5 * 1024 * 1024 + 1));
    expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['cover']]);
    expect((await send(await noisyJpeg(5 * 1024 * 1024, { width: 800, height: 600 }))).status).toBe(200);
    expect(await fileDifferences()).toEqual([]);
  });

  it('is one of the sent covers after several parallel uploads, and the files of the other covers are deleted', async () => {
    const image = await picture('jpeg');
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(image)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await fileDifferences()).toEqual([]);
    expect(await isServed(server, (await jana.api.get(path)).body.data.cover_url)).toBe(true);
  });
});

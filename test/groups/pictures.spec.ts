import { buildGroup, type BuiltGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { NOT_PICTURES, noisyJpeg, phonePhoto, picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const MB = 1_048_576;

/** GRP-18: the avatar (up to 2 MB) and the cover (up to 5 MB) of a group. */
describe.each([
  ['avatar', 2],
  ['cover', 5],
] as const)('%s of a group', (which, megabytes) => {
  let server: TestServer;
  let jana: Person;
  let group: BuiltGroup;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    jana = await server.person('jana');
    group = await buildGroup(server, jana);
  });

  const send = (bytes: Buffer, name: string = which): Promise<Answer> =>
    jana.api.upload(`/groups/${group.id}/${which}`, [[name, new Blob([new Uint8Array(bytes)]), 'any.txt']]);
  const url = async (): Promise<string | null> => (await jana.api.get(`/groups/${group.id}`)).body.data[`${which}_url`];
  const statusOf = async (address: string | null): Promise<number> =>
    (await server.nobody.get(`~${new URL(address ?? '').pathname}`)).status;
  const stored = async (): Promise<unknown> => server.sql('SELECT key, state FROM media_files ORDER BY key');

  // GRP-18
  it('can be uploaded, replaced and removed, and no file of a former picture remains', async () => {
    const before = await stored();
    const first = await send(await phonePhoto());
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual((await jana.api.get(`/groups/${group.id}`)).body.data);
    const old = await url();
    expect(await statusOf(old)).toBe(200);
    expect(old?.endsWith('-thumb.jpg')).toBe(which === 'avatar');

    expect((await send(await picture('png'))).status).toBe(200);
    expect(await url()).not.toBe(old);
    expect([await statusOf(await url()), await statusOf(old)]).toEqual([200, 404]);

    for (let time = 0; time < 2; time++)
      expect((await jana.api.delete(`/groups/${group.id}/${which}`)).status).toBe(204);
    expect(await url()).toBeNull();
    expect(await stored()).toEqual(before);
  });

  // GRP-18
  it(`can have up to ${megabytes} MB; a file with one more byte is refused`, async () => {
    expect((await send(await noisyJpeg(megabytes * MB, { width: 1300, height: 975 }))).status).toBe(200);
    const current = await url();
    const refused = await send(await noisyJpeg(megabytes * MB + 1, { width: 1300, height: 975 }));
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [which]]);
    expect(await url()).toBe(current);
  });

  // GRP-18
  it('is refused, and the old picture stays, if the file is missing or is not a picture', async () => {
    await send(await picture('jpeg'));
    const [current, before] = [await url(), await stored()];
    const answers = [
      await send(NOT_PICTURES['text']!),
      await send(NOT_PICTURES['svg']!),
      await send((await picture('jpeg')).subarray(0, 200)),
      await send(await picture('jpeg'), 'other'),
      await jana.api.upload(`/groups/${group.id}/${which}`, [[which, 'a text']]),
    ];
    expect(answers.map(({ status, body }) => [status, Object.keys(body.errors)])).toEqual(
      answers.map(() => [422, [which]]),
    );
    expect((await jana.api.post(`/groups/${group.id}/${which}`, {})).status).toBe(422);
    expect([await url(), await stored()]).toEqual([current, before]);
  });

  it('is one of the pictures that were uploaded in parallel, and the other pictures are deleted', async () => {
    const before = (await server.sql('SELECT 1 FROM media_files')).length;
    const photo = await picture('jpeg');
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(photo)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await statusOf(await url())).toBe(200);
    expect(await server.sql('SELECT 1 FROM media_files')).toHaveLength(before + 1);
  });
});

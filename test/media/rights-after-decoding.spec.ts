import { UsersCommands } from '#areas/identity/users.commands';
import { Pictures } from '#platform/media/pictures';
import { buildEvent } from '#testing/builders';
import { disagreements } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** WIRE-37: rights are checked before a picture is decoded, and again under a lock after it was decoded. */
describe('an upload of a picture', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let photo: Blob;
  beforeAll(async () => {
    server = await TestServer.start();
    photo = new Blob([new Uint8Array(await media.picture('png'))]);
  });
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server.stop());

  const newEventPath = async () =>
    `/events/${(await buildEvent(server, jana, { photos_enabled: true, with: [[petr, 'confirmed']] })).id}`;
  const newPostPath = async () => {
    const { body } = await jana.api.post('/posts', {
      title: 'Zápisek',
      categories: ['mista'],
      body: 'Text',
      status: 'published',
    });
    return `/posts/${body.data.slug}`;
  };
  /** Runs `change` in each later request, after its pictures were decoded and before they are stored. */
  const changeAfterDecoding = (change: () => Promise<{ status: number }>) => {
    const pictures = server.app.get(Pictures);
    const make = pictures.makeAll.bind(pictures);
    const spy = jest.spyOn(pictures, 'makeAll').mockImplementation(async (sources) => {
      const pictureFiles = await make(sources);
      expect((await change()).status).toBeLessThan(300);
      return pictureFiles;
    });
    return spy;
  };
  /**
   * Stores a block by Jana as the operator's command `apply` does: without the signals `UserToBeBlocked` and
   * `UserBlocked`, which the API raises.
   */
  const blockByOperator = async () => {
    await server.database.transaction((tx) => server.app.get(UsersCommands).setBlocked(tx, jana.userId, [petr.userId]));
    return { status: 200 };
  };
  const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

  describe('is refused if, after the picture was decoded and before it is stored,', () => {
    // GAL-3
    it.each<[string, (path: string) => Promise<{ status: number }>, [number, string]]>([
      [
        'the guest is removed',
        (path) => jana.api.delete(`${path}/participants/${petr.slug}`),
        [403, 'upload_forbidden'],
      ],
      ['the guest is banned', (path) => jana.api.delete(`${path}/participants/${petr.slug}?ban=1`), [403, 'banned']],
      ['the guest is blocked', () => blockByOperator(), [403, 'upload_forbidden']],
      ['photos are switched off', (path) => jana.api.patch(path, { photos_enabled: false }), [403, 'upload_forbidden']],
    ])('%s (gallery)', async (_what, change, answer) => {
      const path = await newEventPath();
      const decoding = changeAfterDecoding(() => change(path));
      expect(refusal(await petr.api.upload(`${path}/photos`, [['photos[]', photo]]))).toEqual(answer);
      expect(decoding).toHaveBeenCalledTimes(1);
      expect((await jana.api.get(`${path}/photos`)).body.data).toEqual([]);
      expect(await disagreements(server)).toEqual([]);
    });

    it.each<[string, (path: string) => Promise<{ status: number }>, [number, string]]>([
      ['removed', (path) => jana.api.delete(`${path}/participants/${petr.slug}`), [403, 'comment_forbidden']],
      ['banned', (path) => jana.api.delete(`${path}/participants/${petr.slug}?ban=1`), [403, 'banned']],
    ])('the guest is %s (comments)', async (_what, change, answer) => {
      const path = await newEventPath();
      const decoding = changeAfterDecoding(() => change(path));
      expect(refusal(await petr.api.upload(`${path}/comments`, [['image', photo]]))).toEqual(answer);
      expect(decoding).toHaveBeenCalledTimes(1);
      expect((await jana.api.get(`${path}/comments`)).body.data).toEqual([]);
      expect(await disagreements(server)).toEqual([]);
    });

    it('the post is deleted (cover)', async () => {
      const path = await newPostPath();
      const decoding = changeAfterDecoding(() => jana.api.delete(path));
      expect(refusal(await jana.api.upload(`${path}/cover`, [['cover', photo]]))).toEqual([404, 'not_found']);
      expect(decoding).toHaveBeenCalledTimes(1);
      expect(await disagreements(server)).toEqual([]);
    });
  });

  describe('is refused before the picture is decoded if', () => {
    const spyOnDecoding = () => jest.spyOn(server.app.get(Pictures), 'makeAll');
    const broken = new Blob(['no picture']);

    it('the sender has no right to upload (gallery, comments, covers, pictures of events)', async () => {
      const [path, cover] = [await newEventPath(), await newPostPath()];
      const decoded = spyOnDecoding();
      for (const sent of [photo, broken]) {
        expect(refusal(await eva.api.upload(`${path}/photos`, [['photos[]', sent]]))).toEqual([
          403,
          'upload_forbidden',
        ]);
        expect(refusal(await eva.api.upload(`${path}/comments`, [['image', sent]]))).toEqual([
          403,
          'comment_forbidden',
        ]);
        expect(refusal(await eva.api.upload(`${cover}/cover`, [['cover', sent]]))).toEqual([403, 'forbidden']);
        expect(refusal(await eva.api.upload(`${path}/images`, [['images[]', sent]]))).toEqual([403, 'forbidden']);
      }
      expect(refusal(await eva.api.post(`${path}/comments`, { body: '' }))).toEqual([403, 'comment_forbidden']);
      expect(decoded).not.toHaveBeenCalled();
    });

    // CMT-9
    it('the picture belongs to an eleventh comment within a minute', async () => {
      const path = `${await newEventPath()}/comments`;
      for (let i = 0; i < 10; i++) expect((await petr.api.post(path, { body: 'Ahoj' })).status).toBe(201);
      const decoded = spyOnDecoding();
      for (const sent of [photo, broken])
        expect(refusal(await petr.api.upload(path, [['image', sent]]))).toEqual([429, 'rate_limited']);
      expect(decoded).not.toHaveBeenCalled();
    });
  });
});

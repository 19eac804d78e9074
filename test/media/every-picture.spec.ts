import sharp from 'sharp';
import { buildEvent } from '#testing/builders';
import { filesBehind, scratchFiles, storedFiles } from '#testing/files-and-rows';
import { buildGroup } from '#testing/groups';
import { headerBomb, NOT_PICTURES, phonePhoto } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/** Uploads a file to a route. Returns the status, which is 200 or 201 after a success. */
type Send = (server: TestServer, jana: Person, file: Blob) => Promise<number>;

const POST = { title: 'Cesta', categories: ['mista'], body: 'Text', status: 'published' };
const upload = async (jana: Person, path: string, name: string, file: Blob) =>
  (await jana.api.upload(path, [[name, file, '../photo.png']])).status;

const ROUTES: Record<string, Send> = {
  'the cover of an event': async (server, jana, file) =>
    upload(jana, `/events/${(await buildEvent(server, jana)).id}/images`, 'images[]', file),
  'the gallery of an event': async (server, jana, file) =>
    upload(jana, `/events/${(await buildEvent(server, jana, { photos_enabled: true })).id}/photos`, 'photos[]', file),
  'a comment on an event': async (server, jana, file) =>
    upload(jana, `/events/${(await buildEvent(server, jana)).id}/comments`, 'image', file),
  'a comment on a post': async (_, jana, file) =>
    upload(jana, `/posts/${(await jana.api.post('/posts', POST)).body.data.slug}/comments`, 'image', file),
  'the cover of a post': async (_, jana, file) =>
    upload(jana, `/posts/${(await jana.api.post('/posts', POST)).body.data.slug}/cover`, 'cover', file),
  'the avatar of a group': async (server, jana, file) =>
    upload(jana, `/groups/${(await buildGroup(server, jana)).id}/avatar`, 'avatar', file),
  'the cover of a group': async (server, jana, file) =>
    upload(jana, `/groups/${(await buildGroup(server, jana)).id}/cover`, 'cover', file),
  'a Puls post': async (_, jana, file) =>
    (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['image', file],
      ])
    ).status,
  'the avatar of an account': async (server, { slug }, file) => {
    const visitor = new Visitor(server);
    await visitor.register(`${slug}@example.org`);
    const csrf = /avatar\?_csrf=([^"]+)"/.exec((await visitor.get('/account')).html)?.[1];
    const form = new FormData();
    form.append('avatar', file, 'me.jpg');
    const { status } = await visitor.send('POST', `/account/avatar?_csrf=${csrf}`, form);
    return status === 303 ? 200 : status;
  },
};

const HOSTILE: Record<string, () => Promise<Buffer> | Buffer> = {
  ...Object.fromEntries(['svg', 'html', 'empty', 'playlist'].map((name) => [name, () => NOT_PICTURES[name]!])),
  'a tiny file whose header states 3.6 gigapixels': () => headerBomb(),
  'half a photo': async () => (await phonePhoto()).subarray(0, 400),
};

// WIRE-46, WIRE-47
describe('pictures uploaded for', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterEach(() => expect(scratchFiles(server)).toEqual([]));
  afterAll(() => server.stop());

  describe.each(Object.entries(ROUTES))('%s', (_, send) => {
    it.each(Object.entries(HOSTILE))('are refused and not stored: %s', async (_, make) => {
      const before = storedFiles(server);
      expect(await send(server, await server.person('jana'), new Blob([await make()]))).toBe(422);
      expect(storedFiles(server)).toEqual(before);
    });

    // WIRE-47
    it('are stored as upright JPEG files without metadata such as the camera and the location', async () => {
      const photo = await sharp(await phonePhoto())
        .keepMetadata()
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretCam</x:xmpmeta>')
        .withIccProfile('p3')
        .toBuffer();
      expect(await sharp(photo).metadata()).toMatchObject({
        exif: expect.any(Buffer),
        xmp: expect.any(Buffer),
        icc: expect.any(Buffer),
        orientation: 6,
      });
      const before = storedFiles(server);
      expect([200, 201]).toContain(await send(server, await server.person('jana'), new Blob([photo])));
      const stored = filesBehind(server, ...storedFiles(server).filter((file) => !before.includes(file)));
      expect(stored).toHaveLength(2);
      for (const file of stored) {
        const { format, width, height, exif, xmp, icc, iptc, orientation } = await sharp(file).metadata();
        expect({ format, width, height, exif, xmp, icc, iptc, orientation }).toEqual({
          format: 'jpeg',
          width: 48,
          height: 64,
        });
        expect(file.includes('SecretCam')).toBe(false);
      }
    });
  });
});

import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const MEDIA_BASE_URL = 'https://media.example.org/files';

/** The addresses of public files begin with MEDIA_BASE_URL. */
describe('the address of a file', () => {
  let server: TestServer;
  let jana: Person;
  let photo: Blob;
  beforeAll(async () => {
    server = await TestServer.start({ mediaBaseUrl: MEDIA_BASE_URL });
    jana = await server.person('jana');
    photo = new Blob([new Uint8Array(await media.picture('png'))]);
  });
  afterAll(() => server.stop());

  const hasMediaBaseUrl = (url: string): boolean => url.startsWith(`${MEDIA_BASE_URL}/`);
  /** Whether the address begins with MEDIA_BASE_URL or is below `/media`, and ends with the name of a stored file. */
  const isStored = async (url: string): Promise<boolean> =>
    (hasMediaBaseUrl(url) || url.includes('/media/')) &&
    (await server.nobody.send('GET', `~/media/${url.split('/').at(-1)}`)).status === 200;

  // OPS-57
  it.each([true, false])(
    'begins with MEDIA_BASE_URL if and only if the content is public (public: %s)',
    async (isPublic) => {
      const event = await buildEvent(server, jana, { is_public: isPublic, photos_enabled: true });
      const added = await jana.api.upload(`/events/${event.id}/images`, [['images[]', photo]]);
      const [shown] = (await jana.api.get(`/events/${event.id}`)).body.data.images;
      expect(added.body.data).toEqual([shown]);
      const group = await buildGroup(server, jana, { is_public: isPublic });
      for (const part of ['avatar', 'cover'])
        expect((await jana.api.upload(`/groups/${group.id}/${part}`, [[part, photo]])).status).toBe(200);
      const { avatar_url, cover_url } = (await jana.api.get(`/groups/${group.id}`)).body.data;
      const { slug } = (
        await jana.api.post('/posts', {
          title: 'Zápisek',
          categories: ['mista'],
          body: 'Text',
          status: isPublic ? 'published' : 'draft',
        })
      ).body.data;
      const post = (await jana.api.upload(`/posts/${slug}/cover`, [['cover', photo]])).body.data;
      for (const url of [
        shown.url,
        shown.thumb_url,
        avatar_url,
        cover_url,
        post.cover_url,
        post.cover_thumb_url,
      ] as string[]) {
        expect([url, hasMediaBaseUrl(url), await isStored(url)]).toEqual([url, isPublic, true]);
      }
    },
  );

  // OPS-57
  it('never begins with MEDIA_BASE_URL for gallery photos and comment pictures, even of a public event', async () => {
    const event = await buildEvent(server, jana, { is_public: true, photos_enabled: true });
    const [photoEntry] = (await jana.api.upload(`/events/${event.id}/photos`, [['photos[]', photo]])).body.data;
    const comment = await jana.api.upload(`/events/${event.id}/comments`, [
      ['body', 'Hle'],
      ['image', photo],
    ]);
    for (const url of [photoEntry.url, photoEntry.thumb_url, comment.body.data.image_url] as string[])
      expect([hasMediaBaseUrl(url), await isStored(url)]).toEqual([false, true]);
  });

  // OPS-57
  it('is allowed as the address of a picture by the content security policy of the pages', async () => {
    const { headers } = await new Visitor(server).get('/');
    expect(headers.get('content-security-policy')).toMatch(/img-src [^;]*https:\/\/media\.example\.org[ ;]/);
  });
});

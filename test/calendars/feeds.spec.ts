import { buildEvent } from '#testing/builders';
import { readFeed, type AtomFeed, type AtomText } from '#testing/atom';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
/** A text as a feed reader shows it. */
const shown = ({ type, text }: AtomText): string =>
  type === 'html'
    ? text.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name]!)
    : text;

/** Atom feeds, read by a strict parser. */
describe('feeds of posts', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  const fetchFile = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.origin + path, { headers });
  const feedPathOf = (person: Person): string => `/people/${person.slug}/posts.atom`;
  async function feedAt(path: string): Promise<AtomFeed & { text: string; tag: string }> {
    const response = await fetchFile(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    const text = await response.text();
    return { text, tag: response.headers.get('etag')!, ...readFeed(text) };
  }
  async function write(author: Person, options: Record<string, unknown> = {}) {
    server.clock.forward(2000);
    const { status, body } = await author.api.post('/posts', {
      title: 'Zápisník',
      categories: ['evropa'],
      body: '<p>Text &amp; <b>tučně</b></p>',
      status: 'published',
      ...options,
    });
    expect(status).toBe(201);
    return body.data as { url: string; slug: string; title: string; published_at: string; updated_at: string };
  }

  // CAL-10, CAL-11
  it('contain the published posts of a person, newest first, without drafts', async () => {
    const { writer } = await server.people('writer');
    const posts = [
      await write(writer, { title: 'První' }),
      await write(writer, { excerpt: 'Krátce & jasně' }),
      await write(writer),
    ];
    await write(writer, { title: 'Rozepsané', status: 'draft' });
    const feed = await feedAt(feedPathOf(writer));
    expect(feed.entries.map(({ link }) => link)).toEqual(posts.map(({ url }) => url).reverse());
    expect([feed.title, new URL(feed.self!).pathname, feed.id, Date.parse(feed.updated)]).toEqual([
      writer.name,
      feedPathOf(writer),
      feed.self,
      Date.parse(posts[2]!.updated_at),
    ]);
    const [, second] = feed.entries;
    expect(second).toMatchObject({
      author: writer.name,
      id: posts[1]!.url,
      title: { type: 'html', text: 'Zápisník' },
      content: { type: 'html', text: '<p>Text &amp; <b>tučně</b></p>' },
    });
    expect([Date.parse(second!.published!), shown(second!.summary!)]).toEqual([
      Date.parse(posts[1]!.published_at),
      'Krátce & jasně',
    ]);
    expect(feed.text).not.toContain('Rozepsané');
  });

  // CAL-10, CAL-13
  it('are ordered by the time of publication, not by the time of creation', async () => {
    const { writer } = await server.people('writer');
    const group = await buildGroup(server, writer);
    const { id } = await buildEvent(server, writer, { group: group.id, is_public: true });
    const draft = await write(writer, { title: 'Rozepsané', status: 'draft', event_id: id });
    const other = await write(writer, { title: 'Hned', event_id: id });
    const links = async () =>
      (await Promise.all([feedPathOf(writer), `/groups/${group.id}/posts.atom`].map((path) => feedAt(path)))).map(
        ({ entries }) => entries.map(({ link }) => link),
      );
    expect(await links()).toEqual([[other.url], [other.url]]);
    server.clock.forward(2000);
    await writer.api.patch(`/posts/${draft.slug}`, { status: 'published' });
    expect(await links()).toEqual([
      [draft.url, other.url],
      [draft.url, other.url],
    ]);
  });

  // CAL-10
  it('contain only the newest hundred posts', async () => {
    const { writer } = await server.people('writer');
    const oldest = await write(writer);
    for (let n = 0; n < 100; n++) await write(writer);
    const { entries } = await feedAt(feedPathOf(writer));
    expect(entries).toHaveLength(100);
    expect(entries.map(({ link }) => link)).not.toContain(oldest.url);
  });

  // CAL-12
  it('preserve all titles, names and texts, except the characters that XML does not allow', async () => {
    const name = ']]> ]]> <b>Řehoř</b> &amp; "syn" &lt;';
    const author = await server.person('autor', { name });
    const titles = [
      'A <script>alert(1)</script> &amp; "B" \'C\'',
      ']]> <![CDATA[ ]]> ]]>',
      '&lt;b&gt; & <b> &amp;amp;',
      '</title></entry></feed>',
      'čeština 🎉 &#x1F389;',
      '<?xml version="1.0"?> <!-- -->',
      'okraj \ufffe\uffff x',
    ];
    const posts = [];
    for (const title of titles)
      posts.push(await write(author, { title, excerpt: title, body: `<p>]]&gt; ]]> ${title}</p><p>konec</p>` }));
    const feed = await feedAt(feedPathOf(author));
    expect(feed.entries).toHaveLength(titles.length);
    expect(feed.title).toBe(author.name);
    for (const { title, url } of posts) {
      const entry = feed.entries.find(({ link }) => link === url)!;
      const expectedTitle = title.replace(/[\ufffe\uffff]/g, '');
      expect([shown(entry.title), shown(entry.summary!), entry.author]).toEqual([
        expectedTitle,
        expectedTitle,
        author.name,
      ]);
      expect(entry.content.text).toContain('<p>konec</p>');
      expect(entry.content.text).not.toMatch(/<script|\]\]>/i);
    }
  });

  // CAL-9, CAL-11
  it('answer 304 while they are unchanged, keep the ids of edited posts, and omit posts that became drafts again or were deleted', async () => {
    const { reporter } = await server.people('reporter');
    const path = feedPathOf(reporter);
    const empty = await feedAt(path);
    expect(empty.entries).toEqual([]);
    const [a, b] = [await write(reporter), await write(reporter)];
    const before = await feedAt(path);
    server.clock.forward(60_000);
    for (const etags of [before.tag, `"x", W/${before.tag}`, '*']) {
      const same = await fetchFile(path, { 'if-none-match': etags });
      expect([same.status, same.headers.get('etag'), same.headers.get('cache-control'), await same.text()]).toEqual([
        304,
        before.tag,
        'public, no-cache',
        '',
      ]);
    }
    await reporter.api.patch(`/posts/${a.slug}`, { title: 'Jinak' });
    expect((await fetchFile(path, { 'if-none-match': before.tag })).status).toBe(200);
    const now = await feedAt(path);
    const ids = ({ entries }: AtomFeed): string[] => entries.map(({ id }) => id);
    expect([ids(now), now.entries[0]!.updated, now.updated > before.updated]).toEqual([
      ids(before),
      before.entries[0]!.updated,
      true,
    ]);
    expect(now.entries[1]!.updated > before.entries[1]!.updated).toBe(true);
    await reporter.api.patch(`/posts/${a.slug}`, { status: 'draft' });
    await reporter.api.delete(`/posts/${b.slug}`);
    expect((await feedAt(path)).text).toBe(empty.text);
    server.clock.moveTo(new Date());
  });

  // CAL-13
  it('contain posts about the public events of a group, but do not exist for private groups and unsearchable people', async () => {
    const { founder, visitor } = await server.people('founder', 'visitor');
    const group = await buildGroup(server, founder, { name: 'Parta <&amp;>' });
    const hidden = await buildGroup(server, founder, { is_public: false });
    const createEvent = async (is_public: boolean, groupId?: string) =>
      (
        await founder.api.post('/events', {
          title: 'Výlet',
          starts_at: inDays(3).toISOString(),
          is_public,
          ...(groupId && { group: groupId }),
        })
      ).body.data.id as string;
    const [publicEvent, privateEvent, eventWithoutGroup] = [
      await createEvent(true, group.id),
      await createEvent(false, group.id),
      (await buildEvent(server, founder)).id,
    ];
    const listedPosts = [
      await write(founder, { event_id: publicEvent }),
      await write(founder, { event_id: publicEvent }),
    ];
    for (const event_id of [privateEvent, eventWithoutGroup, undefined]) await write(founder, { event_id });
    await write(founder, { event_id: publicEvent, status: 'draft' });
    await visitor.api.post(`/events/${publicEvent}/join`);
    listedPosts.push(await write(visitor, { event_id: publicEvent }));
    const feed = await feedAt(`/groups/${group.id}/posts.atom`);
    expect([feed.title, feed.entries.map(({ link }) => link)]).toEqual([
      'Parta <&amp;>',
      listedPosts.map(({ url }) => url).reverse(),
    ]);
    await founder.api.patch(`/events/${publicEvent}`, { is_public: false });
    expect((await feedAt(`/groups/${group.id}/posts.atom`)).entries).toEqual([]);
    const unsearchable = await server.person('tichy', { searchable: false });
    for (const path of [
      `/groups/${hidden.id}/posts.atom`,
      '/groups/nowhereatall/posts.atom',
      '/people/nikdo/posts.atom',
      feedPathOf(unsearchable),
    ]) {
      expect([path, (await fetchFile(path)).status]).toEqual([path, 404]);
    }
  });

  // CAL-9
  it('are linked in the <head> of the page of the person or group', async () => {
    const { host } = await server.people('host');
    const group = await buildGroup(server, host);
    for (const page of [`/groups/${group.id}`, `/people/${host.slug}`]) {
      const html = await (await fetchFile(page)).text();
      const [, href = ''] = /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(html) ?? [];
      expect(new URL(href).pathname).toBe(`${page}/posts.atom`);
    }
  });
});

import { PostAccessPolicy } from '#areas/posts/post-access.policy';
import { RICH_TEXT_TAGS } from '#contract/vocabulary';
import { buildEvent } from '#testing/builders';
import { faultOf, HOSTILE } from '#testing/hostile-html';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { WIRE_TIME } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

const postFields = (overrides: Record<string, unknown> = {}) => ({
  title: 'Týden v Toskánsku',
  categories: ['evropa'],
  body: '<p>Text</p>',
  ...overrides,
});

describe('posts', () => {
  let server: TestServer;
  let jana: Person, petr: Person, mod: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
    mod = await server.person('mod', { moderator: true, admin: true });
  });
  afterAll(() => server.stop());

  const createPost = async (author: Person, overrides: Record<string, unknown> = {}) => {
    const { status, body: answer } = await author.api.post('/posts', postFields(overrides));
    expect(status).toBe(201);
    return answer.data;
  };
  const invalidFields = async (overrides: Record<string, unknown>) => {
    const answer = await jana.api.post('/posts', postFields(overrides));
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    return Object.keys(answer.body.errors as object);
  };

  // POST-1, POST-6
  it('are created as drafts', async () => {
    const { status, body: answer } = await jana.api.post(
      '/posts',
      postFields({ title: '  První zápisek ', slug: 'muj', published_at: '2001-01-01' }),
    );
    expect(status).toBe(201);
    expect(answer).toEqual({
      data: {
        id: expect.stringMatching(/^[a-zA-Z]{8,}$/),
        slug: 'prvni-zapisek',
        title: 'První zápisek',
        excerpt: null,
        body: '<p>Text</p>',
        categories: ['evropa'],
        location: null,
        status: 'draft',
        cover_url: null,
        cover_thumb_url: null,
        event: null,
        author: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
        published_at: null,
        url: 'http://127.0.0.1:3000/posts/prvni-zapisek',
        viewer: { is_author: true, can_comment: false },
        created_at: expect.stringMatching(WIRE_TIME),
        updated_at: answer.data.created_at,
      },
    });
    expect((await jana.api.get('/posts/prvni-zapisek')).body).toEqual(answer);
  });

  it.each([
    ['title', { title: 'ab' }],
    ['title', { title: 'x'.repeat(151) }],
    ['title', { title: undefined }],
    ['categories', { categories: [] }],
    ['categories', { categories: ['asie', 'kolo', 'mista', 'wellness'] }],
    ['categories', { categories: 'kolo' }],
    ['categories.1', { categories: ['kolo', 'politika'] }],
    ['categories.1', { categories: ['kolo', 'kolo'] }],
    ['location', { location: 'x'.repeat(151) }],
    ['excerpt', { excerpt: 'x'.repeat(301) }],
    ['body', { body: 'x'.repeat(20_001) }],
    ['body', { body: '<img src=x onerror=alert(1)>' }],
    ['body', { body: '<p>&nbsp;</p><br>' }],
    ['body', { body: ' ' }],
    ['status', { status: 'archived' }],
    ['status', { status: null }],
    ['event_id', { event_id: 'nowhereatall' }],
    ['event_id', { event_id: true }],
  ])('are refused with an invalid %s', async (field, overrides) =>
    expect(await invalidFields(overrides)).toEqual([field]),
  );

  // POST-5, POST-6
  it('can be published and hidden again, and keep their slug when the title changes', async () => {
    const { slug } = await createPost(jana, { title: 'Tajný plán', location: 'Brno' });
    const missing = await petr.api.get('/posts/neni-tu');
    for (const person of [petr, mod]) expect((await person.api.get(`/posts/${slug}`)).text).toBe(missing.text);

    server.clock.forward(60_000);
    const published = (await jana.api.patch(`/posts/${slug}`, { status: 'published', title: 'Úplně jiný' })).body.data;
    expect(published).toMatchObject({
      slug,
      title: 'Úplně jiný',
      location: 'Brno',
      status: 'published',
      published_at: published.updated_at,
    });
    expect(published.updated_at).not.toBe(published.created_at);
    const readByPetr = (await petr.api.get(`/posts/${slug}`)).body.data;
    expect(readByPetr).toEqual({ ...published, viewer: { is_author: false, can_comment: true } });

    server.clock.forward(60_000);
    expect((await jana.api.patch(`/posts/${slug}`, { status: 'published', location: null })).body.data).toMatchObject({
      location: null,
      published_at: published.published_at,
    });
    expect((await jana.api.patch(`/posts/${slug}`, { status: 'draft' })).body.data).toMatchObject({
      status: 'draft',
      published_at: null,
    });
    expect((await petr.api.get(`/posts/${slug}`)).text).toBe(missing.text);
  });

  // POST-7, ACC-12
  it('are hidden from other people while they are drafts (404), and only their author can change them (403)', async () => {
    const draft = (await createPost(jana)).slug as string;
    const published = (await createPost(jana, { status: 'published' })).slug as string;
    for (const person of [petr, mod]) {
      for (const [slug, status, code] of [
        [draft, 404, 'not_found'],
        [published, 403, 'forbidden'],
      ] as const) {
        const answers = [
          await person.api.patch(`/posts/${slug}`, { title: 'ab' }),
          await person.api.upload(`/posts/${slug}/cover`, [['cover', new Blob(['no picture'])]]),
          await person.api.delete(`/posts/${slug}/cover`),
          await person.api.delete(`/posts/${slug}`),
        ];
        for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([status, code]);
      }
      expect((await person.api.get(`/posts/${draft}/comments`)).status).toBe(404);
      expect((await person.api.post(`/posts/${draft}/comments`, { body: 'Ahoj' })).status).toBe(404);
    }
    expect((await jana.api.get(`/posts/${draft}`)).status).toBe(200);
  });

  // POST-7
  it('are not shown to other people (404) if they become drafts while a request reads them', async () => {
    const { slug } = (await jana.api.post('/posts', postFields({ status: 'published' }))).body.data as { slug: string };
    const access = server.app.get(PostAccessPolicy);
    const visible = access.visible.bind(access);
    const checked = jest.spyOn(access, 'visible').mockImplementationOnce(async (...values) => {
      const seen = await visible(...values);
      await server.sql(`UPDATE posts SET status = 'draft', published_at = NULL, title = 'Tajné' WHERE slug = $1`, [
        slug,
      ]);
      return seen;
    });
    const answer = await petr.api.get(`/posts/${slug}`);
    checked.mockRestore();
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await jana.api.get(`/posts/${slug}`)).body.data.title).toBe('Tajné');
  });

  // POST-8
  it('are listed for their author, including drafts, newest first', async () => {
    const { eva, karel } = await server.people('eva', 'karel');
    const first = await createPost(eva),
      second = await createPost(eva, { status: 'published' }),
      third = await createPost(eva);
    const { body: page } = await eva.api.get('/posts?per_page=2');
    expect(page.data).toEqual([third, second]);
    expect(page.meta).toMatchObject({ total: 3, last_page: 2 });
    expect((await eva.api.get('/posts?per_page=2&page=2')).body.data).toEqual([first]);
    expect((await karel.api.get('/posts')).body.data).toEqual([]);
    expect((await eva.api.get('/posts?per_page=101')).body.errors).toHaveProperty('per_page');
  });

  // POST-8
  it('keep their place in the list of their author when they are changed or published', async () => {
    const { adam } = await server.people('adam');
    const slugs: string[] = [];
    for (const title of ['První', 'Druhý', 'Třetí']) {
      server.clock.forward(1000);
      slugs.unshift((await createPost(adam, { title })).slug as string);
    }
    server.clock.forward(1000);
    await adam.api.patch(`/posts/${slugs[1]}`, { location: 'Brno' });
    await adam.api.patch(`/posts/${slugs[2]}`, { status: 'published' });
    expect((await adam.api.get('/posts')).body.data.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
  });

  // POST-4
  it('keep their event after the author leaves this event, although the author cannot choose it again', async () => {
    const event = await buildEvent(server, petr, { with: [[jana, 'confirmed']] });
    const { slug } = await createPost(jana, { event_id: event.id, status: 'published' });
    expect((await jana.api.delete(`/events/${event.id}/join`)).status).toBe(204);
    expect((await jana.api.patch(`/posts/${slug}`, { location: 'Brno' })).body.data).toMatchObject({
      location: 'Brno',
      event: event.id,
    });
    for (const reader of [jana, petr]) expect((await reader.api.get(`/posts/${slug}`)).body.data.event).toBe(event.id);
    const [listed] = (await petr.api.get(`/discover/posts?event=${event.id}`)).body.data;
    expect(listed).toMatchObject({ slug, event: event.id });
    expect((await jana.api.patch(`/posts/${slug}`, { event_id: event.id })).body.errors).toHaveProperty('event_id');
    expect((await jana.api.get(`/posts/${slug}`)).body.data.event).toBe(event.id);
  });

  // POST-4
  it('show a private event only to the author and to readers who see this event', async () => {
    const event = await buildEvent(server, petr, { is_public: false, with: [[jana, 'confirmed']] });
    const { slug } = await createPost(jana, { event_id: event.id, status: 'published' });
    await jana.api.delete(`/events/${event.id}/join`);
    const shownTo = async (reader: Person) => (await reader.api.get(`/posts/${slug}`)).body.data.event as unknown;
    expect([await shownTo(jana), await shownTo(petr), await shownTo(mod)]).toEqual([event.id, event.id, null]);
    expect((await petr.api.patch(`/events/${event.id}`, { is_public: true })).status).toBe(200);
    expect(await shownTo(mod)).toBe(event.id);
  });

  // POST-4
  it('are refused if the author stops being confirmed at the event while the request waits for the lock of the event', async () => {
    const event = await buildEvent(server, petr, { with: [[jana, 'confirmed']] });
    await server.sql('BEGIN');
    await server.sql('SELECT id FROM events WHERE id = $1 FOR UPDATE', [event.eventId]);
    const answer = jana.api.post('/posts', postFields({ event_id: event.id }));
    const selectLockWaits =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitUntil(async () => (await server.sql(selectLockWaits)).length > 0);
    await server.sql(`UPDATE participations SET status = 'waitlisted' WHERE event_id = $1`, [event.eventId]);
    await server.sql('COMMIT');
    expect(await answer).toMatchObject({ status: 422, body: { errors: { event_id: [expect.any(String)] } } });
  });

  // POST-4
  it('can be about an event that the author organizes or attends, and still exist after the event is deleted', async () => {
    const own = await buildEvent(server, jana);
    const attended = await buildEvent(server, petr, { is_public: false, with: [[jana, 'confirmed']] });
    for (const { id, eventId } of [own, attended]) {
      expect((await createPost(jana, { event_id: id })).event).toBe(id);
      expect((await createPost(jana, { event_id: eventId })).event).toBe(id);
    }
    for (const status of ['pending', 'waitlisted', 'requested', 'declined', 'banned'] as const) {
      const other = await buildEvent(server, petr, { with: [[jana, status]] });
      expect(await invalidFields({ event_id: other.id })).toEqual(['event_id']);
    }
    expect(await invalidFields({ event_id: (await buildEvent(server, petr)).eventId })).toEqual(['event_id']);

    const post = await createPost(jana, { event_id: own.id });
    expect((await jana.api.patch(`/posts/${post.slug}`, { event_id: null })).body.data.event).toBeNull();
    expect((await jana.api.patch(`/posts/${post.slug}`, { event_id: own.id })).body.data.event).toBe(own.id);
    expect((await jana.api.delete(`/events/${own.id}`)).status).toBe(204);
    expect((await jana.api.get(`/posts/${post.slug}`)).body.data.event).toBeNull();
  });

  // POST-5
  it('get different slugs when fifty posts with the same title are created in parallel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        [jana, petr][i % 2]!.api.post('/posts', postFields({ title: 'Závod o název', status: 'published' })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    const posts = answers.map(({ body: answer }) => answer.data as { slug: string; id: string });
    expect(new Set(posts.map(({ slug }) => slug)).size).toBe(50);
    expect(posts.filter(({ slug }) => slug === 'zavod-o-nazev')).toHaveLength(1);
    for (const { slug, id } of posts.slice(0, 5)) expect((await mod.api.get(`/posts/${slug}`)).body.data.id).toBe(id);
  });

  it('cannot be addressed by an id or a number', async () => {
    const { id } = await createPost(jana, { status: 'published' });
    for (const key of [id, '1', '%00', 'x'.repeat(2000)])
      expect((await jana.api.get(`/posts/${key}`)).status).toBe(404);
  });

  // POST-3
  it('are sanitized, and sanitized HTML does not change when it is sent again', async () => {
    const { slug } = await createPost(jana);
    for (const hostile of HOSTILE) {
      const first = await jana.api.patch(`/posts/${slug}`, { body: `<p>před ${hostile} po</p>` });
      expect([first.status, hostile]).toEqual([200, hostile]);
      expect(faultOf(first.body.data.body, RICH_TEXT_TAGS)).toBeNull();
      const second = await jana.api.patch(`/posts/${slug}`, { body: first.body.data.body });
      expect(second.body.data.body).toBe(first.body.data.body);
    }
    expect((await createPost(jana, { body: HOSTILE.slice(0, 20).join('<p>x</p>') })).body).toContain('<p>x</p>');
  });
});

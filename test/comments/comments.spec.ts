import { basename } from 'node:path';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { disagreements, isServed, storedFiles } from '#testing/files-and-rows';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { WIRE_TIME } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

describe('comments', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person, mod: Person, admin: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    [mod, admin] = [await server.person('mod', { moderator: true }), await server.person('admin', { admin: true })];
  });
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterAll(() => server.stop());

  const newEventCommentsPath = async (options: Parameters<typeof buildEvent>[2] = {}) =>
    commentsPathOf(await buildEvent(server, jana, { with: [[petr, 'confirmed']], ...options }));
  const commentsPathOf = ({ id }: BuiltEvent) => `/events/${id}/comments`;
  const newPostCommentsPath = async (status = 'published') => {
    const { body } = await jana.api.post('/posts', { title: 'Zápisek', categories: ['mista'], body: 'Text', status });
    return `/posts/${body.data.slug}/comments`;
  };
  const addComment = async (person: Person, path: string, fields: Record<string, unknown>) => {
    const { status, body } = await person.api.post(path, fields);
    expect(status).toBe(201);
    return body.data;
  };
  const threads = async (path: string, person = jana) => (await person.api.get(`${path}?per_page=100`)).body.data;
  const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
  const image = async () => new Blob([new Uint8Array(await picture('png'))]);

  describe.each([
    ['an event', () => newEventCommentsPath()],
    ['a post', () => newPostCommentsPath()],
  ])('on %s', (_what, newCommentsPath) => {
    // CMT-1, CMT-7, CMT-8
    it('are listed as threads: the newest thread first, and in each thread the oldest reply first', async () => {
      const path = await newCommentsPath();
      const root = await addComment(jana, path, {
        body: ' <b>Kde</b> se sejdeme? ',
        author: 'x',
        created_at: '2001-01-01',
      });
      expect(root).toEqual({
        id: expect.stringMatching(/^[a-zA-Z]{8,}$/),
        body: 'Kde se sejdeme?',
        image_url: null,
        author: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
        parent: null,
        replies: [],
        viewer: { can_delete: true },
        created_at: expect.stringMatching(WIRE_TIME),
      });
      const later = await addComment(petr, path, { body: 'A kdy?', parent: null });
      const first = await addComment(petr, path, { body: 'U kašny', parent: root.id });
      const second = await addComment(jana, path, { body: 'U které?', parent: first.id });
      expect([first.parent, second.parent]).toEqual([root.id, root.id]);

      const { status, body } = await petr.api.get(path);
      expect(status).toBe(200);
      expect(body.data).toEqual([
        later,
        { ...root, viewer: { can_delete: false }, replies: [first, { ...second, viewer: { can_delete: false } }] },
      ]);
      expect(body.meta).toMatchObject({ total: 2 });
      expect((await petr.api.get(`${path}?per_page=1&page=2`)).body.data[0].replies).toHaveLength(2);
      expect((await petr.api.get(`${path}?page=3`)).body).toMatchObject({ data: [], meta: { total: 2, from: null } });
      expect((await petr.api.get(`${path}?per_page=0`)).body.errors).toHaveProperty('per_page');
    });

    // CMT-1, CMT-2
    it('have a text, a picture, or both', async () => {
      const path = await newCommentsPath();
      const pictureOnly = await petr.api.upload(path, [['image', await image()]]);
      expect([pictureOnly.status, pictureOnly.body.data.body]).toEqual([201, null]);
      expect(await isServed(server, pictureOnly.body.data.image_url)).toBe(true);
      const both = await petr.api.upload(path, [
        ['image', await image()],
        ['parent', pictureOnly.body.data.id],
        ['body', 'S textem'],
      ]);
      expect(both.body.data).toMatchObject({ body: 'S textem', parent: pictureOnly.body.data.id });
      const invisibleText = await petr.api.upload(path, [
        ['image', await image()],
        ['parent', pictureOnly.body.data.id],
        ['body', '\u200b'],
      ]);
      expect(invisibleText.body.data.body).toBeNull();
      expect(await threads(path, petr)).toEqual([
        { ...pictureOnly.body.data, replies: [both.body.data, invisibleText.body.data] },
      ]);

      const tooLong = 'x'.repeat(2001);
      for (const fields of [
        {},
        { body: null },
        { body: ' \n' },
        { body: '<b></b> <img src=x>' },
        { body: '\u200b<i>\u2060</i> \ufeff' },
        { body: tooLong },
        { body: 5 },
        { body: 'a\u0000' },
      ]) {
        const answer = await petr.api.post(path, fields);
        expect([...refusal(answer), Object.keys(answer.body.errors as object)]).toEqual([
          422,
          'validation_failed',
          ['body'],
        ]);
      }
      for (const bad of [new Blob(['no picture']), 'a text', new Blob([new Uint8Array(15 * 1_048_576 + 1)])]) {
        expect(
          (
            await petr.api.upload(path, [
              ['body', 'Text'],
              ['image', bad],
            ])
          ).body.errors,
        ).toHaveProperty('image');
      }
      expect((await petr.api.post(path, { body: 'x', parent: true })).body.errors).toHaveProperty('parent');
      expect(await threads(path)).toHaveLength(1);
      expect((await addComment(petr, path, { body: '🎈'.repeat(2000) })).body).toBe('🎈'.repeat(2000));
    });

    // CMT-6
    it('are refused with the same error if the parent comment is on another event or post, was deleted or is unknown', async () => {
      const path = await newCommentsPath();
      const elsewhere = await Promise.all(
        [newEventCommentsPath(), newPostCommentsPath()].map(
          async (other) => (await addComment(jana, await other, { body: 'Jinde' })).id,
        ),
      );
      const gone = (await addComment(petr, path, { body: 'Zmizí' })).id;
      await petr.api.delete(`/comments/${gone}`);
      const answers = await Promise.all(
        [...elsewhere, gone, 'nowhereatall', '1'].map((parent) => petr.api.post(path, { body: 'x', parent })),
      );
      expect(answers.map(refusal)).toEqual(Array(5).fill([422, 'parent_invalid']));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await threads(path)).toEqual([]);
    });

    // CMT-11
    it('can be deleted by their author, a moderator or an admin, with their replies and images', async () => {
      const path = await newCommentsPath();
      const root = (await petr.api.upload(path, [['image', await image()]])).body.data;
      const reply = (
        await jana.api.upload(path, [
          ['image', await image()],
          ['parent', root.id],
        ])
      ).body.data;
      for (const [person, canDeleteRoot, canDeleteReply] of [
        [petr, true, false],
        [jana, false, true],
        [eva, false, false],
        [mod, true, true],
        [admin, true, true],
      ] as const) {
        const [thread] = await threads(path, person);
        expect([thread.viewer.can_delete, thread.replies[0].viewer.can_delete]).toEqual([
          canDeleteRoot,
          canDeleteReply,
        ]);
      }
      for (const person of [jana, eva])
        expect(refusal(await person.api.delete(`/comments/${root.id}`))).toEqual([403, 'forbidden']);
      expect((await petr.api.delete(`/comments/${root.id}`)).status).toBe(204);
      expect([await isServed(server, root.image_url), await isServed(server, reply.image_url)]).toEqual([false, false]);
      for (const id of [root.id, reply.id, 'nowhereatall', '1'])
        expect(refusal(await mod.api.delete(`/comments/${id}`))).toEqual([404, 'not_found']);

      const thread = await addComment(jana, path, { body: 'Kořen' });
      const replies = [
        await addComment(petr, path, { body: 'a', parent: thread.id }),
        await addComment(petr, path, { body: 'b', parent: thread.id }),
      ];
      expect((await mod.api.delete(`/comments/${replies[0].id}`)).status).toBe(204);
      expect(
        (await threads(path)).map(({ replies: remaining }: typeof thread) =>
          remaining.map(({ id }: { id: string }) => id),
        ),
      ).toEqual([[replies[1].id]]);
      expect((await admin.api.delete(`/comments/${thread.id}`)).status).toBe(204);
      expect(await threads(path)).toEqual([]);
    });

    it('are deleted with their event or post, including their images', async () => {
      const path = await newCommentsPath();
      const root = (await jana.api.upload(path, [['image', await image()]])).body.data;
      const reply = (
        await jana.api.upload(path, [
          ['image', await image()],
          ['parent', root.id],
        ])
      ).body.data;
      const { status } = await jana.api.delete(path.replace('/comments', ''));
      expect(status).toBe(path.startsWith('/posts') ? 204 : 409); // an event with confirmed participants cannot be deleted
      if (status === 409) {
        await petr.api.delete(path.replace('/comments', '/join'));
        expect((await jana.api.delete(path.replace('/comments', ''))).status).toBe(204);
      }
      expect([await isServed(server, root.image_url), await isServed(server, reply.image_url)]).toEqual([false, false]);
      expect((await mod.api.delete(`/comments/${root.id}`)).status).toBe(404);
      expect((await jana.api.get(path)).status).toBe(404);
      expect(await disagreements(server)).toEqual([]);
    });
  });

  describe('of an event', () => {
    // CMT-3, CMT-4
    it('can be read by people who see the event, and written by the organizer and confirmed participants', async () => {
      const states = ['confirmed', 'pending', 'waitlisted', 'requested', 'declined', 'banned'] as const;
      const people = await Promise.all(states.map((state) => server.person(state)));
      const relations = people.map((person, i) => [person, states[i]!] as const);
      const publicPath = await newEventCommentsPath({ with: relations });
      const privatePath = await newEventCommentsPath({ is_public: false, with: relations });
      const table: [Person, (string | number)[], (string | number)[]][] = [
        // The expected results of reading and writing: first for the public event, then for the private event.
        [jana, [200, 201], [200, 201]],
        [people[0]!, [200, 201], [200, 201]],
        [people[1]!, [200, 'comment_forbidden'], [200, 'comment_forbidden']],
        [people[2]!, [200, 'comment_forbidden'], [200, 'comment_forbidden']],
        [people[3]!, [200, 'comment_forbidden'], [200, 'comment_forbidden']],
        [people[4]!, [200, 'comment_forbidden'], ['not_found', 'not_found']],
        [people[5]!, ['banned', 'banned'], ['not_found', 'not_found']],
        [eva, [200, 'comment_forbidden'], ['not_found', 'not_found']],
        [mod, [200, 'comment_forbidden'], ['not_found', 'not_found']],
      ];
      for (const [person, ...expected] of table) {
        for (const [i, path] of [publicPath, privatePath].entries()) {
          const answers = [await person.api.get(path), await person.api.post(path, { body: 'Ahoj' })];
          expect([person.name, ...answers.map(({ status, body }) => body.code ?? status)]).toEqual([
            person.name,
            ...expected[i]!,
          ]);
        }
      }
      const missing = await eva.api.get('/events/nowhereatall/comments');
      expect((await eva.api.get(privatePath)).text).toBe(missing.text);
    });

    // CMT-5
    it('are refused for the first failed check, in this order: visibility of the event, right to comment, fields', async () => {
      const privatePath = await newEventCommentsPath({ is_public: false });
      const publicPath = await newEventCommentsPath();
      expect(refusal(await eva.api.post(privatePath, { body: '' }))).toEqual([404, 'not_found']);
      expect(refusal(await eva.api.get(`${privatePath}?per_page=0`))).toEqual([404, 'not_found']);
      expect(refusal(await eva.api.post(publicPath, { body: '' }))).toEqual([403, 'comment_forbidden']);
      expect(refusal(await jana.api.post(publicPath, { body: '' }))).toEqual([422, 'validation_failed']);
      expect(refusal(await eva.api.post(publicPath, { body: 'x', parent: 'nowhereatall' }))).toEqual([
        403,
        'comment_forbidden',
      ]);
      expect(refusal(await eva.api.upload(publicPath, [['image', await image()]]))).toEqual([403, 'comment_forbidden']);
      expect(await disagreements(server)).toEqual([]);
    });

    // CMT-4
    it('can be written after the event was cancelled, but not by a person who has left the event', async () => {
      const path = await newEventCommentsPath();
      await jana.api.patch(path.replace('/comments', ''), { status: 'cancelled' });
      await addComment(petr, path, { body: 'Škoda' });
      await petr.api.delete(path.replace('/comments', '/join'));
      expect(refusal(await petr.api.post(path, { body: 'Ještě něco' }))).toEqual([403, 'comment_forbidden']);
    });

    // CMT-5
    it('are refused if the person stops being confirmed while the request waits for the lock of the event', async () => {
      const built = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
      await server.sql('BEGIN');
      await server.sql('SELECT id FROM events WHERE id = $1 FOR UPDATE', [built.eventId]);
      const answer = petr.api.post(commentsPathOf(built), { body: 'Pozdě' });
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await waitUntil(async () => (await server.sql(waits)).length > 0);
      await server.sql(`UPDATE participations SET status = 'waitlisted' WHERE event_id = $1`, [built.eventId]);
      await server.sql('COMMIT');
      expect(refusal(await answer)).toEqual([403, 'comment_forbidden']);
      expect(await threads(commentsPathOf(built))).toEqual([]);
    });

    // CMT-11, CMT-3
    it('can be deleted by authors and moderators who do not see the event', async () => {
      const path = await newEventCommentsPath({ is_public: false });
      const [first, second] = [
        await addComment(petr, path, { body: 'a' }),
        await addComment(petr, path, { body: 'b' }),
      ];
      expect(refusal(await eva.api.delete(`/comments/${first.id}`))).toEqual([404, 'not_found']);
      await petr.api.delete(path.replace('/comments', '/join'));
      expect((await petr.api.delete(`/comments/${first.id}`)).status).toBe(204);
      expect((await mod.api.delete(`/comments/${second.id}`)).status).toBe(204);
    });
  });

  // MOD-5
  it('are deleted, with their images, together with their event, post or thread, even if a moderator has removed them before', async () => {
    const { id, eventId } = await buildEvent(server, jana);
    const postPath = await newPostCommentsPath();
    const withImage = async (path: string, parent?: string) =>
      (
        await jana.api.upload(path, [
          ['image', await image()],
          ...(parent === undefined ? [] : [['parent', parent] as const]),
        ])
      ).body.data as { id: string; image_url: string };
    const removeCommentsOfJana = () =>
      server.sql('UPDATE all_comments SET removed_at = now() WHERE author_id = $1', [jana.userId]);
    const thread = await addComment(jana, `/events/${id}/comments`, { body: 'Kořen' });
    const reply = await withImage(`/events/${id}/comments`, thread.id);
    await server.sql('UPDATE all_comments SET removed_at = now() WHERE image_key IS NOT NULL AND author_id = $1', [
      jana.userId,
    ]);
    expect((await jana.api.delete(`/comments/${thread.id}`)).status).toBe(204);
    const pictures = [reply];
    for (const path of [`/events/${id}/comments`, postPath]) {
      const root = await withImage(path);
      pictures.push(root, await withImage(path, root.id));
    }
    await removeCommentsOfJana();
    for (const path of [`/events/${id}`, postPath.replace('/comments', '')])
      expect((await jana.api.delete(path)).status).toBe(204);
    expect(await server.sql('SELECT 1 FROM all_comments WHERE author_id = $1', [jana.userId])).toEqual([]);
    expect(await server.sql('SELECT 1 FROM all_events WHERE id = $1', [eventId])).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
    const stored = storedFiles(server);
    for (const { image_url } of pictures) expect(stored).not.toContain(basename(image_url));
  });

  // CMT-5
  it('on a post are refused if the post becomes a draft or is deleted while the request waits for the lock of the post', async () => {
    for (const [change, expected] of [
      [`UPDATE posts SET status = 'draft', published_at = NULL WHERE slug = $1`, [403, 'comment_forbidden']],
      ['DELETE FROM posts WHERE slug = $1', [404, 'not_found']],
    ] as const) {
      const path = await newPostCommentsPath();
      const slug = path.split('/')[2];
      await server.sql('BEGIN');
      await server.sql('SELECT id FROM posts WHERE slug = $1 FOR UPDATE', [slug]);
      const answer = jana.api.post(path, { body: 'Pozdě' });
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await waitUntil(async () => (await server.sql(waits)).length > 0);
      await server.sql(change, [slug]);
      await server.sql('COMMIT');
      expect(refusal(await answer)).toEqual(expected);
    }
  });

  // CMT-3, CMT-4
  it('on a draft post cannot be written, and only the author can read the empty list', async () => {
    const path = await newPostCommentsPath('draft');
    expect((await jana.api.get(path)).body).toMatchObject({ data: [], meta: { total: 0 } });
    const refused = await jana.api.post(path, { body: 'Ahoj' });
    expect(refusal(refused)).toEqual([403, 'comment_forbidden']);
    expect(refused.body.message).toContain('příspěvek');
    for (const person of [petr, mod, admin]) {
      expect(refusal(await person.api.get(path))).toEqual([404, 'not_found']);
      expect(refusal(await person.api.post(path, { body: 'Ahoj' }))).toEqual([404, 'not_found']);
    }
  });
});

import { basename } from 'node:path';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { disagreements, storedFiles } from '#testing/files-and-rows';
import { untilWaitingForLock } from '#testing/held-lock';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const PARALLEL = 50;

/**
 * CMT-9, CMT-10: a person can write 10 comments per minute, and an event keeps its newest 100 threads, even with
 * parallel requests.
 */
describe('limits of comments', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => (jana = await server.person('jana')));
  afterAll(() => server.stop());

  const commentsPathOfNewPost = async () => {
    const { body } = await jana.api.post('/posts', {
      title: 'Zápisek',
      categories: ['mista'],
      body: 'Text',
      status: 'published',
    });
    return `/posts/${body.data.slug}/comments`;
  };
  const limited = (answers: readonly Answer[]) =>
    answers.filter(({ status, body }) => status === 429 && body.code === 'rate_limited');
  const inParallel = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => make(i)));

  describe('the limit of ten comments per minute', () => {
    // CMT-9, LIM-5
    it('is exact for fifty parallel requests to two servers, on an event and on a post', async () => {
      const secondServer = await TestServer.start({ databaseUrl: server.app.get(Settings).databaseUrl });
      const paths = [await commentsPathOfNewPost(), `/events/${(await buildEvent(server, jana)).id}/comments`];
      const clients = [jana.api, clientOf(secondServer, jana.token)];
      const answers = await inParallel(PARALLEL, (i) => clients[i % 2]!.post(paths[(i >> 1) % 2]!, { body: `${i}` }));
      await secondServer.stop();
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
      expect(limited(answers)).toHaveLength(PARALLEL - 10);
      for (const { headers } of limited(answers)) expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      const totals = await Promise.all(paths.map(async (path) => (await jana.api.get(path)).body.meta.total as number));
      expect(totals[0]! + totals[1]!).toBe(10);
    });

    // CMT-5
    it('is checked after the permission to comment', async () => {
      const path = await commentsPathOfNewPost();
      await inParallel(10, (i) => jana.api.post(path, { body: `${i}` }));
      const stranger = await server.person('petr');
      const { id } = await buildEvent(server, stranger);
      const refused = await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' });
      expect([refused.status, refused.body.code]).toEqual([403, 'comment_forbidden']);
      expect((await jana.api.post(path, { body: '11' })).status).toBe(429);
    });

    // CMT-5
    it('is checked after the fields and the parent, and before an image is decoded', async () => {
      const path = await commentsPathOfNewPost();
      const { id: parent } = (await jana.api.post(path, { body: '0' })).body.data as { id: string };
      const unreadable = [['image', new Blob(['no picture'])]] as const;
      const otherPath = await commentsPathOfNewPost();
      expect(refusal(await jana.api.upload(path, [...unreadable, ['parent', parent]]))).toEqual([
        422,
        'validation_failed',
      ]);
      await inParallel(9, (i) => jana.api.post(path, { body: `${i}` }));
      for (const [answer, expected] of [
        [await jana.api.post(path, {}), [422, 'validation_failed']],
        [await jana.api.post(path, { body: 5 }), [422, 'validation_failed']],
        [await jana.api.post(path, { body: 'x', parent: 'nowhereatall' }), [422, 'parent_invalid']],
        [await jana.api.post(path, { body: 'x', parent: 'x'.repeat(300) }), [422, 'parent_invalid']],
        [await jana.api.post(otherPath, { body: 'x', parent }), [422, 'parent_invalid']],
        [await jana.api.upload(otherPath, [...unreadable, ['parent', parent]]), [422, 'parent_invalid']],
        [await jana.api.upload(path, [['image', new Blob([])]]), [422, 'validation_failed']],
        [await jana.api.upload(path, [...unreadable, ['parent', parent]]), [429, 'rate_limited']],
        [await jana.api.post(path, { body: 'x', parent }), [429, 'rate_limited']],
      ] as const)
        expect(refusal(answer)).toEqual(expected);
      expect(await disagreements(server)).toEqual([]);
    });

    // CMT-9
    it('is a sliding window: the next comment is accepted when the first of the ten comments is a minute old', async () => {
      const path = await commentsPathOfNewPost();
      const start = Date.now();
      const clock = jest.spyOn(server.clock, 'now');
      const freezeAt = (seconds: number) => clock.mockImplementation(() => new Date(start + seconds * 1000));
      for (let i = 0; i < 10; i++) {
        freezeAt(i * 5);
        expect((await jana.api.post(path, { body: `${i}` })).status).toBe(201);
      }
      freezeAt(50);
      const refused = await jana.api.post(path, { body: 'x' });
      expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual([
        429,
        'rate_limited',
        10,
      ]);
      freezeAt(59.999);
      expect((await jana.api.post(path, { body: 'x' })).headers.get('retry-after')).toBe('1');
      freezeAt(60);
      expect((await jana.api.post(path, { body: 'x' })).status).toBe(201);
      expect(refusal(await jana.api.post(path, { body: 'x' }))).toEqual([429, 'rate_limited']);
      freezeAt(200);
      const after = await inParallel(12, (i) => jana.api.post(path, { body: `${i}` }));
      clock.mockRestore();
      expect(after.filter(({ status }) => status === 201)).toHaveLength(10);
    });

    // CMT-9
    it('refuses comments while ten or more are less than a minute old, even if a former version allowed more than ten', async () => {
      const path = await commentsPathOfNewPost();
      const now = new Date();
      const clock = jest.spyOn(server.clock, 'now').mockImplementation(() => now);
      await jana.api.post(path, { body: 'x' });
      const sentAt = Array.from({ length: 12 }, (_, n) => new Date(now.getTime() - (50 - n) * 1000));
      await server.sql('UPDATE comment_rates SET sent_at = $1::timestamptz[] WHERE user_id = $2', [
        sentAt,
        jana.userId,
      ]);
      const refused = await jana.api.post(path, { body: 'x' });
      clock.mockRestore();
      expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '12']);
    });

    // CMT-9
    it('counts comments that were deleted later, but no refused comments', async () => {
      const path = await commentsPathOfNewPost();
      for (let i = 0; i < 10; i++) await jana.api.post(path, i % 2 ? {} : { body: 'x', parent: 'nowhereatall' });
      for (let i = 0; i < 10; i++) {
        const { status, body } = await jana.api.post(path, { body: `${i}` });
        expect(status).toBe(201);
        await jana.api.delete(`/comments/${body.data.id}`);
      }
      const image = new Blob([new Uint8Array(await picture('png'))]);
      expect(refusal(await jana.api.upload(path, [['image', image]]))).toEqual([429, 'rate_limited']);
      expect(await disagreements(server)).toEqual([]);
      const petr = await server.person('petr');
      expect((await petr.api.post(path, { body: 'Já mohu' })).status).toBe(201);
    });
  });

  describe('the limit of a hundred threads', () => {
    /** Adds 99 threads to an event that already has one thread. */
    const addThreads = (eventId: number) =>
      server.sql(
        `INSERT INTO comments (event_id, author_id, body, created_at) SELECT $1, $2, 'vlákno', now() FROM generate_series(1, 99)`,
        [eventId, jana.userId],
      );

    // CMT-10
    it('is exact when fifty threads are added in parallel, and the oldest threads are deleted with their replies and images', async () => {
      const people = await inParallel(5, () => server.person('many'));
      const { eventId, id } = await buildEvent(server, jana, {
        with: people.map((person) => [person, 'confirmed'] as const),
      });
      const path = `/events/${id}/comments`;
      const image = new Blob([new Uint8Array(await picture('png'))]);
      const oldest = (await jana.api.upload(path, [['image', image]])).body.data;
      const reply = (
        await jana.api.upload(path, [
          ['image', image],
          ['parent', oldest.id],
        ])
      ).body.data;
      await addThreads(eventId);
      const latestReply = (
        await jana.api.upload(path, [
          ['image', image],
          ['parent', (await jana.api.get(path)).body.data[0].id],
        ])
      ).body.data;
      const before = await jana.api.get(`${path}?per_page=100`);
      expect([before.body.meta.total, before.body.data[99].id]).toEqual([100, oldest.id]);

      const added = await inParallel(PARALLEL, (i) => people[i % 5]!.api.post(path, { body: `${i}` }));
      expect(added.map(({ status }) => status)).toEqual(Array(PARALLEL).fill(201));
      const after = (await jana.api.get(`${path}?per_page=100`)).body;
      expect(after.meta.total).toBe(100);
      expect(
        after.data
          .slice(0, PARALLEL)
          .map(({ id: thread }: { id: string }) => thread)
          .sort(),
      ).toEqual(added.map(({ body }) => body.data.id as string).sort());
      expect(await disagreements(server)).toEqual([]);
      const isStored = [latestReply, oldest, reply].map(({ image_url }) =>
        storedFiles(server).includes(basename(image_url as string)),
      );
      expect(isStored).toEqual([true, false, false]);
      expect(await server.sql('SELECT 1 FROM comments WHERE root_id IS NOT NULL')).toHaveLength(1);
    });

    // CMT-10
    it('is not exceeded by threads that are added in parallel, even if all requests begin before the first commit', async () => {
      const people = await inParallel(6, () => server.person('many'));
      const { eventId, id } = await buildEvent(server, jana, {
        with: people.map((person) => [person, 'confirmed'] as const),
      });
      const path = `/events/${id}/comments`;
      await jana.api.post(path, { body: 'nejstarší' });
      await addThreads(eventId);
      // While this lock is held, no request can delete the oldest thread. The lock is released when all requests wait:
      // one for this lock, and the others for the lock of the event. The promise of the requests is returned in an
      // object, because the transaction would wait for a promise that is returned directly.
      const { answers } = await server.database.transaction(async (tx) => {
        await tx.manager.query('SELECT 1 FROM all_comments WHERE event_id = $1 ORDER BY id LIMIT 1 FOR UPDATE', [
          eventId,
        ]);
        const requests = Promise.all(people.map(({ api }, i) => api.post(path, { body: `${i}` })));
        await untilWaitingForLock(server, people.length);
        return { answers: requests };
      });
      expect((await answers).map(({ status }) => status)).toEqual(people.map(() => 201));
      const { data, meta } = (await jana.api.get(`${path}?per_page=100`)).body;
      expect([data.length, meta.total]).toEqual([100, 100]);
    });

    // CMT-10, MOD-7
    it('does not count threads that a moderator removed, and deletes an old thread together with its removed replies', async () => {
      const { eventId, id } = await buildEvent(server, jana);
      const path = `/events/${id}/comments`;
      const image = new Blob([new Uint8Array(await picture('png'))]);
      const oldest = (await jana.api.post(path, { body: 'nejstarší' })).body.data;
      const reply = (
        await jana.api.upload(path, [
          ['image', image],
          ['parent', oldest.id],
        ])
      ).body.data;
      await addThreads(eventId);
      await server.sql(
        `UPDATE all_comments SET removed_at = now() WHERE id = (SELECT max(id) FROM comments WHERE event_id = $1) OR image_key IS NOT NULL AND author_id = $2`,
        [eventId, jana.userId],
      );
      const last = async () => (await jana.api.get(`${path}?per_page=100`)).body.data.at(-1).id as string;
      expect((await jana.api.post(path, { body: 'stoté viditelné' })).status).toBe(201);
      expect(await last()).toBe(oldest.id);
      expect((await jana.api.post(path, { body: 'sto první' })).status).toBe(201);
      expect(await last()).not.toBe(oldest.id);
      expect(storedFiles(server)).not.toContain(basename(reply.image_url as string));
      expect(await disagreements(server)).toEqual([]);
    });

    // CMT-10
    it('does not apply to posts', async () => {
      const path = await commentsPathOfNewPost();
      const slug = path.split('/')[2];
      await server.sql(
        `INSERT INTO comments (post_id, author_id, body, created_at) SELECT p.id, $2, 'vlákno', now() FROM posts p, generate_series(1, 105) WHERE slug = $1`,
        [slug, jana.userId],
      );
      await jana.api.post(path, { body: 'Další' });
      expect((await jana.api.get(path)).body.meta.total).toBe(106);
    });

    it('is not exceeded when threads, replies and deletions are requested in parallel', async () => {
      const people = await inParallel(6, () => server.person('many'));
      const { eventId, id } = await buildEvent(server, jana, {
        with: people.map((person) => [person, 'confirmed'] as const),
      });
      const path = `/events/${id}/comments`;
      await server.sql(
        `INSERT INTO comments (event_id, author_id, body, created_at) SELECT $1, $2, 'vlákno', now() FROM generate_series(1, 100)`,
        [eventId, jana.userId],
      );
      const old = (await jana.api.get(`${path}?per_page=100`)).body.data.reverse() as { id: string }[];
      const image = new Blob([new Uint8Array(await picture('png'))]);
      const answers = await inParallel(60, (i) => {
        const { api } = people[i % 6]!;
        if (i % 3 === 0) return api.post(path, { body: `${i}` });
        if (i % 3 === 1)
          return api.upload(path, [
            ['image', image],
            ['parent', old[Math.floor(i / 6)]!.id],
          ]);
        return jana.api.delete(`/comments/${old[Math.floor(i / 6)]!.id}`);
      });
      for (const answer of answers) expect([201, 204, 404, 422]).toContain(answer.status);
      expect((await jana.api.get(path)).body.meta.total).toBeLessThanOrEqual(100);
      expect(await disagreements(server)).toEqual([]);
    });
  });

  function refusal({ status, body }: Answer) {
    return [status, body.code];
  }
});

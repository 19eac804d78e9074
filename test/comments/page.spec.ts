import { THREADS_OF_SUBJECT } from '#areas/comments/comment.query';
import type { Statement } from '#platform/database/database';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { planOf } from '#testing/plans';
import { TestServer } from '#testing/test-server';

const THREADS_OF_EVENT = 100;
const REPLIES = 50;

/** An event with 100 threads of 50 replies each. */
describe('a full page of comments', () => {
  let server: TestServer;
  let jana: Person;
  let event: BuiltEvent;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    event = await buildEvent(server, jana);
    const others = await Promise.all(Array.from({ length: 4 }, () => buildEvent(server, jana)));
    for (const { eventId } of [event, ...others]) {
      await server.sql(
        `INSERT INTO comments (event_id, author_id, body, created_at) SELECT $1, $2, 'k ' || n, now() FROM generate_series(1, $3::int) n`,
        [eventId, jana.userId, THREADS_OF_EVENT],
      );
    }
    await server.sql(
      `INSERT INTO comments (root_id, author_id, body, created_at) SELECT c.id, $1, 'o ' || n, now() FROM comments c, generate_series(1, $2::int) n`,
      [jana.userId, REPLIES],
    );
    await server.sql('ANALYZE all_comments');
  });
  afterAll(() => server.stop());

  it('is read with two statements, not counting the statements that check the token', async () => {
    const statements: string[] = [];
    const { database } = server;
    const originalRows = database.rows.bind(database);
    const spy = jest.spyOn(database, 'rows').mockImplementation((sql: Statement, values?: readonly unknown[]) => {
      statements.push(sql.name);
      return originalRows(sql, values);
    });
    const transactions = jest.spyOn(database, 'transaction');
    const { body } = await jana.api.get(`/events/${event.id}/comments?per_page=100`);
    spy.mockRestore();

    expect(statements.filter((name) => !name.startsWith('identity_'))).toEqual([
      'events_relation',
      'comments_threads_event',
    ]);
    expect(transactions).not.toHaveBeenCalled();
    expect(body.data).toHaveLength(THREADS_OF_EVENT);
    expect(body.data.map(({ replies }: { replies: unknown[] }) => replies.length)).toEqual(
      Array(THREADS_OF_EVENT).fill(REPLIES),
    );
    expect(body.data[0].replies[0].body).toBe('o 1');
    expect(body.data[0].replies[REPLIES - 1].body).toBe(`o ${REPLIES}`);
    expect(body.meta.total).toBe(THREADS_OF_EVENT);
  });

  it('is read with indexes, without a sequential scan of the comments', async () => {
    const plan = (await planOf(server, THREADS_OF_SUBJECT.event, [event.eventId, 20, 0])).join('\n');
    expect(plan).toContain('comments_event');
    expect(plan).toContain('comments_replies');
    expect(plan).not.toContain('Seq Scan on all_comments');
  });
});

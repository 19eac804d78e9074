import { Client } from 'pg';
import { DatabaseServer } from '#platform/database/database-server';
import { buildEvent } from '#testing/builders';
import { Feed } from '#testing/feed';
import { TestServer } from '#testing/test-server';

let server: TestServer;
const sessions: Client[] = [];
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.end()));
  await server.stop();
});

/** A session of its own, for transactions that stay open. */
async function session(): Promise<Client> {
  const client = new Client({ connectionString: server.app.get(DatabaseServer).url });
  await client.connect();
  sessions.push(client);
  return client;
}

// CHG-14
describe('the order of changes', () => {
  it('is that of the commits: an open transaction delays nothing, and appears once when it ends', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const events = await Promise.all(
      Array.from({ length: 3 }, () => buildEvent(server, jana, { with: [[petr, 'confirmed']] })),
    );
    const [feed, late] = (await Feed.all(petr, petr)) as [Feed, Feed];
    const [long, longer] = [await session(), await session()];
    for (const [open, event] of [
      [long, events[0]!],
      [longer, events[1]!],
    ] as const) {
      await open.query('BEGIN');
      await open.query('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Dlouho']);
    }
    await jana.api.patch(`/events/${events[2]!.id}`, { title: 'Hned' });
    expect(await feed.short()).toEqual([`event.updated ${events[2]!.id} ${jana.slug}`]);
    await longer.query('COMMIT');
    expect(await feed.short()).toEqual([`event.updated ${events[1]!.id} -`]);
    expect(await feed.short()).toEqual([]);
    await jana.api.patch(`/events/${events[2]!.id}`, { title: 'Znovu' });
    await long.query('COMMIT');
    expect((await feed.short()).sort()).toEqual(
      [`event.updated ${events[0]!.id} -`, `event.updated ${events[2]!.id} ${jana.slug}`].sort(),
    );
    expect((await late.short('&limit=1')).length).toBe(4);
  });

  it('misses and repeats nothing, with many transactions of any length and pages of any size', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const feeds = await Feed.all(petr, petr, jana);
    const writers = await Promise.all(Array.from({ length: 6 }, session));
    const told: string[][] = feeds.map(() => []);
    let written = 0;
    const write = async (client: Client, i: number): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        await client.query('BEGIN');
        for (let n = 0; n <= (i * 7 + round) % 4; n++, written++) {
          await client.query(
            `INSERT INTO comments (event_id, author_id, body, created_at) VALUES ($1, $2, 'x', now())`,
            [eventId, petr.userId],
          );
          await client.query('SELECT pg_sleep($1)', [((i * 13 + round * 5 + n) % 6) / 1_000]);
        }
        await client.query(round % 7 === 3 ? 'ROLLBACK' : 'COMMIT');
      }
    };
    let isWriting = true;
    const reading = feeds.map(async (feed, i) => {
      for (let last = false; !last;) {
        last = !isWriting;
        for (const { type, subject } of await feed.news(`&limit=${[1, 7, 100][i]}`))
          if (type === 'comment.created') told[i]!.push(subject.id);
      }
    });
    await Promise.all(writers.map(write));
    isWriting = false;
    await Promise.all(reading);
    const stored = await server.sql<{ id: string }>('SELECT id FROM comments WHERE event_id = $1', [eventId]);
    expect(stored.length).toBeLessThan(written);
    for (const list of told) {
      expect(new Set(list).size).toBe(list.length);
      expect(list.length).toBe(stored.length);
    }
  });

  it('goes through one transaction of more changes than are read at once', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const feed = await Feed.of(petr);
    await server.sql(
      `INSERT INTO comments (event_id, author_id, body, created_at) SELECT $1, $2, 'x', now() FROM generate_series(1, 1234)`,
      [eventId, petr.userId],
    );
    await server.sql(`INSERT INTO comments (event_id, author_id, body, created_at) VALUES ($1, $2, 'x', now())`, [
      eventId,
      petr.userId,
    ]);
    const told = await feed.news();
    expect(new Set(told.map(({ subject }) => subject.id)).size).toBe(1235);
    expect(told.length).toBe(1235);
  });
});

import { Client } from 'pg';
import { CursorSealer } from '#platform/changes/cursor';
import { DatabaseServer } from '#platform/database/database-server';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { Feed, type Entry } from '#testing/feed';
import { buildGroup } from '#testing/groups';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

let server: TestServer;
const sessions: Client[] = [];
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.end()));
  await server.stop();
});

/** A separate database session, for transactions that stay open. */
async function session(): Promise<Client> {
  const client = new Client({ connectionString: server.app.get(DatabaseServer).url });
  await client.connect();
  sessions.push(client);
  return client;
}

// CHG-14
describe('the sequence of changes', () => {
  it('is the order of commits, and is not delayed by an open transaction', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const events = await Promise.all(
      Array.from({ length: 3 }, () => buildEvent(server, jana, { with: [[petr, 'confirmed']] })),
    );
    const [feed, late] = (await Feed.all(petr, petr)) as [Feed, Feed];
    const [committedLast, committedFirst] = [await session(), await session()];
    for (const [open, event] of [
      [committedLast, events[0]!],
      [committedFirst, events[1]!],
    ] as const) {
      await open.query('BEGIN');
      await open.query('UPDATE events SET title = $2 WHERE id = $1', [event.eventId, 'Dlouho']);
    }
    await jana.api.patch(`/events/${events[2]!.id}`, { title: 'Hned' });
    expect(await feed.summaries()).toEqual([`event.updated ${events[2]!.id} ${jana.slug}`]);
    await committedFirst.query('COMMIT');
    expect(await feed.summaries()).toEqual([`event.updated ${events[1]!.id} -`]);
    expect(await feed.summaries()).toEqual([]);
    await jana.api.patch(`/events/${events[2]!.id}`, { title: 'Znovu' });
    await committedLast.query('COMMIT');
    expect((await feed.summaries()).sort()).toEqual(
      [`event.updated ${events[0]!.id} -`, `event.updated ${events[2]!.id} ${jana.slug}`].sort(),
    );
    expect((await late.summaries('&limit=1')).length).toBe(4);
  });

  it('has no missing or repeated entries, regardless of the length of transactions and the size of pages', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const feeds = await Feed.all(petr, petr, jana);
    const writers = await Promise.all(Array.from({ length: 6 }, session));
    const received: string[][] = feeds.map(() => []);
    let written = 0;
    const write = async (client: Client, i: number): Promise<void> => {
      for (let round = 0; round < 10; round++) {
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
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        for (const { type, subject } of await feed.newEntries(`&limit=${[1, 7, 100][i]}`))
          if (type === 'comment.created') received[i]!.push(subject.id);
      }
    });
    await Promise.all(writers.map(write));
    isWriting = false;
    await Promise.all(reading);
    const stored = await server.sql<{ id: string }>('SELECT id FROM comments WHERE event_id = $1', [eventId]);
    expect(stored.length).toBeLessThan(written);
    for (const list of received) {
      expect(new Set(list).size).toBe(list.length);
      expect(list.length).toBe(stored.length);
    }
  });

  // CHG-16
  it('stays correct if two sessions assign numbers at the same time', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const [one, other] = await Promise.all([session(), session()]);
    const number = async (client: Client): Promise<string> => {
      const { rows } = await client.query<{ last: string }>('SELECT number_changes() AS last');
      return rows[0]!.last;
    };
    const backend = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await one.query('BEGIN');
    await one.query(`INSERT INTO comments (event_id, author_id, body, created_at) VALUES ($1, $2, 'x', now())`, [
      eventId,
      petr.userId,
    ]);
    await one.query('LOCK TABLE unnumbered_changes');
    const last = await number(one);
    // The session `other` reads the last number before the commit, and then waits for the lock of the session `one`.
    // After the commit, `other` finds no entry without a number, and must return the new last number.
    const same = number(other);
    const waits = 'SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted';
    await waitUntil(async () => (await server.sql(waits, [backend.rows[0]!.pid])).length > 0);
    await one.query('COMMIT');
    expect(await same).toBe(last);
  });

  // CHG-16
  it('is the same for every reader on every server at any time, even if sessions that assign numbers are killed', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const otherServer = await TestServer.start({ databaseUrl: server.app.get(DatabaseServer).url });
    const [start, late, other] = (await Feed.all(petr, petr, jana)) as [Feed, Feed, Feed];
    const [killer, ...writers] = (await Promise.all(Array.from({ length: 9 }, session))) as [Client, ...Client[]];
    let isWriting = true;
    const write = async (client: Client, i: number): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        await client.query('BEGIN');
        for (let n = 0; n <= (i + round) % 3; n++) {
          await client.query(
            `INSERT INTO comments (event_id, author_id, body, created_at) VALUES ($1, $2, $3, now())`,
            [eventId, petr.userId, `${i} ${round}`],
          );
          await client.query('SELECT pg_sleep($1)', [((i * 13 + round * 5 + n) % 6) / 1_000]);
        }
        await client.query('COMMIT');
      }
    };
    let killed = 0;
    /**
     * Repeatedly takes the lock of `number_changes` for 20 ms, and then terminates one of the sessions that wait for
     * this lock.
     */
    const kill = async (): Promise<void> => {
      while (isWriting) {
        await killer.query('BEGIN');
        await killer.query(`SELECT pg_advisory_xact_lock(hashtext('number_changes'), 0), pg_sleep(0.02)`);
        const { rowCount } = await killer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
              AND classid::bigint = hashtext('number_changes')::bigint & 4294967295 LIMIT 1`,
        );
        await killer.query('COMMIT');
        killed += rowCount ?? 0;
      }
    };
    /** Reads all pages. A request whose statement was killed gets a status other than 200, and is sent again. */
    const follow = async (api: Person['api']): Promise<Entry[]> => {
      const entries: Entry[] = [];
      let { cursor } = start;
      for (let isLast = false; !isLast;) {
        const wasWriting = isWriting;
        const { status, body } = await api.get(`/changes?cursor=${cursor}&limit=7`);
        if (status !== 200) continue;
        entries.push(...(body.data as Entry[]));
        cursor = body.meta.cursor as string;
        isLast = !wasWriting && !body.meta.has_more;
      }
      return entries;
    };
    const reading = [follow(petr.api), follow(clientOf(otherServer, petr.token))];
    const killing = kill();
    await Promise.all(writers.map(write));
    isWriting = false;
    const [early, remote] = await Promise.all(reading);
    await killing;
    const all = await late.newEntries();
    const positions = (entries: readonly Entry[]): string[] =>
      entries.map(({ id, cursor, at }) => `${id} ${cursor} ${at}`);
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(positions(early!)).toEqual(positions(all));
    expect(positions(remote!)).toEqual(positions(all));
    expect(positions(await other.newEntries())).toEqual(positions(all));
    expect(killed).toBeGreaterThan(0);
    // The entries of one transaction are adjacent.
    const bodies = await server.sql<{ id: string; body: string }>('SELECT id, body FROM comments WHERE event_id = $1', [
      eventId,
    ]);
    const transactionOf = new Map(
      bodies.map(({ id, body }) => [server.app.get(PublicIds).encode('comment', Number(id)), body]),
    );
    const transactions = all.map(({ subject }) => transactionOf.get(subject.id));
    expect(transactions.filter((transaction, i) => transaction !== transactions[i - 1]).length).toBe(
      new Set(transactions).size,
    );
    await otherServer.stop();
  });

  it('includes all changes of a transaction that has more changes than fit on one page', async () => {
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
    const entries = await feed.newEntries();
    expect(new Set(entries.map(({ subject }) => subject.id)).size).toBe(1235);
    expect(entries.length).toBe(1235);
  });

  // CHG-16
  it('is also the order for a reader whose cursor comes from an earlier version of the service and contains snapshots', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const events = await Promise.all(
      Array.from({ length: 5 }, () => buildEvent(server, jana, { with: [[petr, 'confirmed']] })),
    );
    const ids = events.map(({ id }) => id);
    const change = (n: number) => jana.api.patch(`/events/${ids[n]}`, { title: 'Jiný' });
    /** Assigns numbers to all committed entries, and then takes a snapshot, which contains all of them. */
    const snapshot = async (): Promise<string> => {
      await server.sql('SELECT number_changes()');
      const [found] = await server.sql<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
      return found!.now;
    };
    // Earlier versions of the service encrypted their cursors in the same way as this version.
    const sealer = server.app.get<CursorSealer, { encrypt(text: string): string }>(CursorSealer);
    const read = async (...parts: string[]): Promise<string[]> => {
      const cursor = sealer.encrypt([Date.now(), ...parts].join(' '));
      const { body } = await petr.api.get(`/changes?cursor=${cursor}`);
      return (body.data as Entry[]).map(({ subject }) => subject.id);
    };
    await change(0);
    const open = await session();
    await open.query('BEGIN');
    await open.query('UPDATE events SET title = $2 WHERE id = $1', [events[1]!.eventId, 'Dlouho']);
    const base = await snapshot();
    await change(2);
    await server.sql('SELECT number_changes()');
    await open.query('COMMIT');
    await change(3);
    const until = await snapshot();
    expect(await read(base)).toEqual([ids[2], ids[1], ids[3]]);
    expect(await read(until)).toEqual([]);
    // If an earlier version returned only a part of the new entries, its cursor also contained a second snapshot
    // (`until`), and the number of the last returned entry.
    const numbers = await server.sql<{ id: string }>('SELECT id FROM changes WHERE topic_id = ANY($1) ORDER BY id', [
      [events[2]!.eventId],
    ]);
    const lastRead = numbers.at(-1)!.id;
    await change(4);
    expect(await read(base, until, lastRead)).toEqual([ids[1], ids[3], ids[4]]);
    // Earlier versions numbered an entry before its transaction ended. Such an entry can have a lower number than the
    // last entry that was read.
    await server.sql('UPDATE changes SET id = 0 WHERE id = (SELECT max(id) FROM changes WHERE topic_id = $1)', [
      events[4]!.eventId,
    ]);
    expect((await read(base, until, lastRead))[0]).toBe(ids[4]);
    const futureSnapshot = '1000000000:1000000000:';
    const refused = await petr.api.get(`/changes?cursor=${sealer.encrypt(`${Date.now()} ${futureSnapshot}`)}`);
    expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['cursor']]);
  });

  // CHG-6
  it.each([
    ['both groups remove their interest', false],
    ['one group removes its interest while the person leaves the event', true],
  ])(
    'contains `event.gone` only once if both reasons to see an event end at the same time: %s',
    async (_, isParticipant) => {
      const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
      const event = await buildEvent(server, otto, { with: isParticipant ? [[petr, 'confirmed']] : [] });
      const groups = await Promise.all(
        [jana, eva].map((owner) => buildGroup(server, owner, { with: [[petr, 'member']] })),
      );
      const [ofJana, ofEva] = groups.map(({ id }) => `/groups/${id}/events/${event.id}/interest`) as [string, string];
      await jana.api.put(ofJana);
      if (!isParticipant) await eva.api.put(ofEva);
      const feed = await Feed.of(petr);
      // Each transaction checks whether the person still sees the event for another reason. This test locks the rows of
      // the memberships until both transactions wait, or until one of them has ended.
      const blocking = await session();
      await blocking.query('BEGIN');
      await blocking.query('SELECT FROM group_members WHERE user_id = $1 FOR UPDATE', [petr.userId]);
      let ended = 0;
      const waiting = async (): Promise<number> =>
        (
          await server.sql(
            'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())',
          )
        ).length;
      const first = (isParticipant ? petr.api.delete(`/events/${event.id}/join`) : eva.api.delete(ofEva)).finally(
        () => ended++,
      );
      await waitUntil(async () => (await waiting()) > 0 || ended > 0);
      const second = jana.api.delete(ofJana).finally(() => ended++);
      await waitUntil(async () => (await waiting()) >= 2 || ended > 0);
      await blocking.query('COMMIT');
      expect((await Promise.all([first, second])).map(({ status }) => Math.floor(status / 100))).toEqual([2, 2]);
      expect((await feed.summaries()).filter((entry) => entry.startsWith('event.gone'))).toEqual([
        `event.gone ${event.id} -`,
      ]);
    },
  );
});

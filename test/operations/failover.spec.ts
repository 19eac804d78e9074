import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DATABASE_TIMEOUTS, Settings } from '#platform/config/settings';
import { isUnavailable } from '#platform/database/availability';
import { requestOptions } from '#platform/database/data-source';
import { Database, statement } from '#platform/database/database';
import { DatabaseServer } from '#platform/database/database-server';
import { ServerClient } from '#platform/database/server-client';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { EventStream } from '#testing/event-stream';
import { Feed } from '#testing/feed';
import type { Person } from '#testing/people';
import { startWithMail, type ServerWithMail } from '#testing/server-with-mail';
import { PostgresServer } from '#testing/postgres-server';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const READ_ONLY = statement('failover_read_only', `SELECT current_setting('transaction_read_only') = 'on' AS on`);
const WRITERS = 12;
/** The maximum number of comments that each writer adds. It is below the limit of comments per minute. */
const COMMENTS = 8;
/** The minimum number of comments that are acknowledged before the primary is killed, and again after the promotion. */
const MIN_COMMENTS = 25;

// OPS-70
describe('a database cluster of several servers', () => {
  let [first, second]: PostgresServer[] = [];
  /** The server that accepts writes now. */
  let primary: PostgresServer;
  let withMail: ServerWithMail;
  let server: TestServer;
  beforeAll(async () => {
    first = await PostgresServer.primary();
    primary = first;
    second = await first.standby();
    await first.enableSynchronousCommits();
    // In the address, the standby comes before the server that accepts writes.
    withMail = await startWithMail({
      databaseUrl: PostgresServer.urlOf(second, first),
      databaseTimeouts: DATABASE_TIMEOUTS,
      jobs: false,
    });
    server = withMail.server;
  }, 120_000);
  afterAll(async () => {
    await withMail.stop();
    await Promise.all([first?.remove(), second?.remove()]);
  });

  const ready = async () => (await fetch(`${server.origin}/health/ready`)).status;
  const cli = () => CommandLine.forDatabaseOf(server.app.get(Settings));

  it('works again, with all acknowledged writes, after the primary died and the standby was promoted', async () => {
    const [jana, ...guests] = await Promise.all(
      ['jana', ...Array.from({ length: WRITERS }, (_, i) => `host${i}`)].map((name) => server.person(name)),
    );
    const event = await buildEvent(server, jana!, { with: guests.map((guest) => [guest, 'confirmed']) });
    const feed = await Feed.of(jana!);
    const stream = await EventStream.open(jana!, `?cursor=${feed.cursor}`);

    const acknowledged: string[] = [];
    const refused: { status: number; retry: string | null; code: unknown }[] = [];
    const count = { afterPromotion: 0 };
    let [isPromoted, isOver] = [false, false];
    const write = async ({ api }: Person): Promise<void> => {
      for (let done = 0, n = 0; done < COMMENTS && !isOver; n++) {
        const body = `${api.origin} ${n} ${Math.random()}`;
        const { status, headers, body: answer } = await api.post(`/events/${event.id}/comments`, { body });
        if (status === 201) {
          done++;
          acknowledged.push(body);
          if (isPromoted) count.afterPromotion++;
        } else {
          refused.push({ status, retry: headers.get('retry-after'), code: (answer as { code?: unknown }).code });
          await pause(20);
        }
      }
    };
    const writers = guests.map(write);
    try {
      await waitUntil(() => acknowledged.length >= MIN_COMMENTS);
      await first!.kill();
      await waitUntil(() => refused.length >= WRITERS);
      expect(await ready()).toBe(503);
      await second!.promote();
      primary = second!;
      isPromoted = true;
      await waitUntil(() => count.afterPromotion >= MIN_COMMENTS);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }

    // Each refused request was refused because the database was unavailable.
    expect(new Set(refused.map(({ status, retry, code }) => `${status} ${Number(retry) > 0} ${String(code)}`))).toEqual(
      new Set(['503 true server_error']),
    );
    expect(await ready()).toBe(200);
    const stored = await second!.sql<{ body: string }>('SELECT body FROM comments');
    expect(acknowledged.filter((body) => !stored.some((row) => row.body === body))).toEqual([]);

    // Each stored comment appears exactly once in the stream of changes, and exactly once in the pages of the feed.
    const comments = (entries: readonly { type: string; subject: { id: string } }[]) =>
      entries
        .filter(({ type }) => type === 'comment.created')
        .map(({ subject }) => subject.id)
        .sort();
    const all = comments(await feed.newEntries());
    expect(all).toHaveLength(stored.length);
    await waitUntil(() => stream.ended || comments(stream.entries).length >= stored.length);
    const resumed = stream.ended
      ? await EventStream.open(jana!, `?cursor=${stream.entries.at(-1)?.cursor ?? feed.cursor}`)
      : stream;
    await resumed.until(() => comments([...new Set([...stream.entries, ...resumed.entries])]).length >= stored.length);
    expect(comments([...new Set([...stream.entries, ...resumed.entries])])).toEqual(all);
    for (const one of [stream, resumed]) one.close();

    // Jobs, the mail queue and the command line have also found the new primary.
    const petr = await server.person('petr', { email: 'petr@example.org' });
    expect((await jana!.api.post(`/events/${event.id}/participants`, { user: petr.slug })).status).toBeLessThan(300);
    await waitUntil(() => withMail.mailServer.of('petr@example.org').length > 0);
    expect(await server.job('series-extend')).toBeDefined();
    expect(await cli().answer('doctor')).toMatchObject({ database: { ok: true } });
  }, 90_000);

  it('makes the service close its connections to a server that no longer accepts writes', async () => {
    const jana = await server.person('jana');
    const setReadOnly = async (value: 'on' | 'off') => {
      await primary.sql(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await primary.sql('SELECT pg_reload_conf()');
    };
    const event = await buildEvent(server, jana);
    const reader = await new DataSource(requestOptions(PostgresServer.urlOf(first!, second!), 1)).initialize();
    const write = async () => jana.api.patch(`/events/${event.id}`, { title: `Piknik ${Math.random()}` });
    expect((await write()).status).toBe(200);
    await setReadOnly('on');
    // The query of `reader` fails as soon as PostgreSQL has reported the changed setting to the open connections.
    await waitUntil(() => reader.query('SELECT 1').then(() => false, isUnavailable));
    await reader.destroy();
    // The pool closes all its old connections.
    const answers: Awaited<ReturnType<typeof write>>[] = [];
    await waitUntil(async () => {
      answers.push(await jana.api.get('/user'));
      return server.database.connections.busy + server.database.connections.idle === 0;
    });
    expect(
      answers.filter(
        ({ status, headers }) => status !== 200 && !(status === 503 && Number(headers.get('retry-after')) > 0),
      ),
    ).toEqual([]);
    expect([(await write()).status, await ready()]).toEqual([503, 503]);
    await setReadOnly('off');
    await waitUntil(async () => (await write()).status === 200);
    expect(await ready()).toBe(200);
  }, 60_000);

  it('causes a timeout if a server does not respond', async () => {
    const timeouts = { connect: 500, statement: 500, lock: 500, idleInTransaction: 5_000 };
    const source = await new DataSource(
      requestOptions(PostgresServer.urlOf(second!, first!), 1, timeouts),
    ).initialize();
    const query = () =>
      source.query('SELECT 1').then(
        () => null,
        (error: unknown) => error,
      );
    expect(await query()).toBeNull();
    primary.freeze();
    try {
      // A paused server sends nothing: without a timeout, the query would wait forever.
      expect(isUnavailable(await query())).toBe(true);
      expect(isUnavailable(await query())).toBe(true);
    } finally {
      primary.wake();
    }
    await waitUntil(async () => (await query()) === null);
    await source.destroy();
  }, 60_000);

  it('causes different errors for a missing primary and a refused login', async () => {
    const connectionTo = async (url: string) => {
      const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: 5_000 });
      const error = await client.connect().then(
        () => null,
        (refusal: unknown) => refusal,
      );
      await client.end().catch(() => undefined);
      return { port: client.port, error };
    };
    const url = PostgresServer.urlOf(second!, first!);
    expect(await connectionTo(url)).toEqual({ port: primary.port, error: null });
    const withoutPrimary = await connectionTo(url.replace(/:\d+,/, ':1,').replace(/:\d+\//, ':2/'));
    expect([isUnavailable(withoutPrimary.error), String(withoutPrimary.error)]).toEqual([
      true,
      expect.stringContaining('no server takes writes now (127.0.0.1:1: '),
    ]);
    const withWrongPassword = await connectionTo(url.replace(/:[0-9a-f]+@/, ':wrong@'));
    expect([isUnavailable(withWrongPassword.error), String(withWrongPassword.error)]).toEqual([
      false,
      expect.stringContaining('password authentication failed'),
    ]);
  }, 60_000);
});

// OPS-70
describe('a database address of one server', () => {
  it('causes 503 with Retry-After until it leads to a server that accepts writes', async () => {
    const server = await TestServer.start({ databaseTimeouts: DATABASE_TIMEOUTS });
    const [{ name }] = (await server.sql<{ name: string }>('SELECT current_database() AS name')) as [{ name: string }];
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const write = () => jana.api.patch(`/events/${event.id}`, { title: `Piknik ${Math.random()}` });
    const ready = async () => (await fetch(`${server.origin}/health/ready`)).status;
    // Simulates a proxy during a failover: existing connections are closed, and new connections are read-only.
    await server.sql(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await waitUntil(
      async () => (await server.database.rows<{ on: boolean }>(READ_ONLY).catch(() => []))[0]?.on ?? false,
    );
    const refused = await write();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(await ready()).toBe(503);
    // A connection that refused a write is not used again, because the next connection can lead to another server.
    const source = await new DataSource(requestOptions(server.app.get(DatabaseServer).url, 1)).initialize();
    const change = () =>
      new Database(source)
        .transaction((tx) => tx.manager.query('CREATE TABLE elsewhere ()'))
        .then(
          () => null,
          (error: unknown) => error,
        );
    expect(isUnavailable(await change())).toBe(true);
    await server.sql(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    expect(await change()).toBeNull();
    await source.destroy();
    await waitUntil(async () => (await write()).status === 200 && (await ready()) === 200);
    await server.stop();
  }, 60_000);
});

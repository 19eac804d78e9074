import type { FastifyRequest } from 'fastify';
import { currentRequest } from '#platform/context/current-request';
import { DatabaseServer } from '#platform/database/database-server';
import { statement } from '#platform/database/database';
import { buildEvent } from '#testing/builders';
import { Feed } from '#testing/feed';
import type { Answer } from '#testing/http-client';
import { PgBouncer } from '#testing/pgbouncer';
import { describeWith } from '#testing/requirements';
import { withClient } from '#testing/test-cluster';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestServer } from '#testing/test-server';

/**
 * There are fewer connections than parallel requests, so requests share connections. If a setting of one request stayed
 * on a connection, this setting would affect another request.
 */
const CONNECTIONS = 3;

// OPS-60
describeWith('pgbouncer', 'a server behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await PgBouncer.start(database.url, CONNECTIONS);
    server = await TestServer.start({
      databaseUrl: bouncer.url,
      databaseListenUrl: database.url,
      bodyTimeoutSeconds: 120,
    });
  });
  afterAll(async () => {
    await server.stop();
    await bouncer.stop();
    await database.drop();
  });

  const queryDirectly = <Row extends object>(sql: string): Promise<Row[]> =>
    withClient(database.url, async (client) => (await client.query<Row>(sql)).rows);

  it('answers more parallel requests than PgBouncer has connections, and accepts no more people than the event has seats', async () => {
    const organizer = await server.person('jana');
    const guests = await Promise.all(Array.from({ length: 12 }, (_, i) => server.person(`guest${i}`)));
    const event = await buildEvent(server, organizer, { max_participants: 5 });
    // The organizer takes one of the five seats.
    const joins = await Promise.all(guests.map(({ api }) => api.post(`/events/${event.id}/join`, {})));
    expect(joins.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(4).fill(200),
      ...Array<number>(8).fill(409),
    ]);
    const reads = await Promise.all(
      guests.flatMap(({ api }) =>
        ['/discover/events', '/events?relation=joined', '/user', '/notices', '/changes'].map((path) => api.get(path)),
      ),
    );
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    // The pooler has CONNECTIONS connections, and the server itself has up to two direct connections.
    const backends = await queryDirectly<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'events'`,
    );
    expect(backends.length).toBeLessThanOrEqual(CONNECTIONS + 2);
  });

  it('leaves no prepared statement on a connection, and settings end with their transaction', async () => {
    const named = statement('pooler_prepared', 'SELECT count(*)::int AS prepared FROM pg_prepared_statements');
    const settings = statement(
      'pooler_settings',
      `SELECT current_setting('TimeZone') AS zone, current_setting('lock_timeout') AS lock, current_setting('jit') AS jit`,
    );
    for (let n = 0; n < 10; n++) expect(await server.database.rows(named)).toEqual([{ prepared: 0 }]);
    const inTransaction = () => server.database.transaction((tx) => tx.rows(settings));
    expect(await inTransaction()).toEqual([{ zone: 'UTC', lock: '30s', jit: 'off' }]);
    // A transaction of an authenticated request, which is the usual case, has the same settings.
    expect(await currentRequest.run({ caller: { id: 1 } } as FastifyRequest, inTransaction)).toEqual([
      { zone: 'UTC', lock: '30s', jit: 'off' },
    ]);
    const [{ lock }] = (await server.database.rows<{ lock: string }>(settings)) as [{ lock: string }];
    expect(lock).toBe('0');
  });

  // RETRY-3
  it('runs a request with an idempotency key only once, even if it is sent many times in parallel', async () => {
    const [organizer, guest] = [await server.person('eva'), await server.person('ota')];
    const prepareJoin = async (key: string) => {
      const { id } = await buildEvent(server, organizer);
      return () => guest.api.send('POST', `/events/${id}/join`, { json: {}, headers: { 'idempotency-key': key } });
    };
    for (const key of ['pooled-1', 'pooled-2']) {
      const sendJoin = await prepareJoin(key);
      const first = await sendJoin();
      const repeated = await Promise.all([sendJoin(), sendJoin(), sendJoin()]);
      expect(
        [first, ...repeated].map(({ status, text, headers }: Answer) => [
          status,
          text,
          headers.get('idempotency-replayed'),
        ]),
      ).toEqual([[200, first.text, null], ...repeated.map(() => [200, first.text, 'true'])]);
    }
    const sendJoin = await prepareJoin('pooled-3');
    const answers = await Promise.all(Array.from({ length: 6 }, sendJoin));
    expect(
      answers.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed')),
    ).toHaveLength(1);
    for (const { status, body } of answers) expect(status === 200 || body.code === 'request_in_progress').toBe(true);
  });

  it('sends a change to a request that waits for changes, and holds no advisory lock after parallel runs of a job', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const { cursor } = await Feed.of(petr);
    const wait = petr.api.get(`/changes?cursor=${cursor}&wait=20`);
    expect((await jana.api.patch(`/events/${event.id}`, { title: 'Jiný název' })).status).toBe(200);
    expect((await wait).body.data.length).toBeGreaterThan(0);
    await Promise.all([server.job('media-sweep'), server.job('media-sweep')]);
    expect(
      await queryDirectly(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    ).toEqual([]);
  });

  it('does not start without a DATABASE_LISTEN_URL that leads to PostgreSQL itself; without a pooler, no such setting is needed', async () => {
    const open = (databaseListenUrl: string | null) =>
      DatabaseServer.open({ databaseUrl: bouncer.url, databaseListenUrl, databaseTimeoutSeconds: 1, dataDir: '' });
    await expect(open(null)).rejects.toThrow(
      'DATABASE_URL leads to a pooler: set DATABASE_LISTEN_URL to the address of PostgreSQL itself, for migrations, jobs, mail and LISTEN.',
    );
    await expect(open(bouncer.url)).rejects.toThrow(
      'DATABASE_LISTEN_URL leads to a pooler: it must be the address of PostgreSQL itself.',
    );
    const plain = await DatabaseServer.open({
      databaseUrl: database.url,
      databaseListenUrl: null,
      databaseTimeoutSeconds: 1,
      dataDir: '',
    });
    expect([plain.url, plain.requests]).toEqual([database.url, { url: database.url, pooled: false }]);
  });
});

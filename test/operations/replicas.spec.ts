import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Client } from 'pg';
import { currentRequest } from '#platform/context/current-request';
import { statement } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { Settings } from '#platform/config/settings';
import { buildEvent, eventBody } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import type { Answer, HttpClient } from '#testing/http-client';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { RedisServer } from '#testing/redis-server';
import { repetitions } from '#testing/repetitions';
import { readsDuring, Replicated, replicaOf } from '#testing/replicated';
import { describeWith } from '#testing/requirements';
import type { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';

interface Shown {
  readonly id: string;
  readonly viewer: { readonly participation: string | null };
}

const METRICS_TOKEN = 'a token for the metrics';

/** OPS-64 to OPS-67: reads that a streaming replica answers. */
describe('a streaming replica', () => {
  let cluster: Replicated;
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let karel: Person;
  beforeAll(async () => {
    cluster = await Replicated.start();
    server = await cluster.server({ metricsToken: METRICS_TOKEN });
    ({ jana, petr, karel } = await server.people('jana', 'petr', 'karel'));
    await discover(karel);
  });
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    await cluster.replay();
    await cluster.waitForReplica();
  });

  const DISCOVER = '/discover/events?per_page=50';
  const discover = async (who: Person, query = ''): Promise<{ events: Shown[]; total: number }> => {
    const { status, body } = await who.api.get(DISCOVER + query);
    expect(status).toBe(200);
    // A single page contains all events, so an outdated cached total would differ from the number of events.
    expect(body.meta.total).toBe(body.data.length);
    return { events: body.data, total: body.meta.total };
  };
  const eventInDiscover = async (who: Person, id: string): Promise<Shown | undefined> =>
    (await discover(who)).events.find((event) => event.id === id);

  // OPS-64
  it('answers requests for Discover, lists of groups and Puls posts, public pages and calendars, but none of the other tested requests', async () => {
    const event = await buildEvent(server, petr, { is_public: true });
    await cluster.waitForReplica();
    const stranger = new Visitor(server);
    const oneReplicaRead = { replica: 1, primary: 0 };
    for (const path of [
      '/discover/events',
      '/discover/events?q=piknik',
      '/groups/discover',
      '/groups/discover?lat=50&lng=14',
      '/puls?lat=50&lng=14',
      '/puls/mine',
    ])
      expect([path, await readsDuring(server, () => karel.api.get(path))]).toEqual([path, oneReplicaRead]);
    for (const path of [
      '/',
      '/groups',
      '/posts',
      `/events/${event.id}`,
      `/events/${event.id}.ics`,
      `/people/${petr.slug}`,
    ]) {
      const visit = async () => expect((await stranger.get(path)).status).toBe(200);
      expect([path, await readsDuring(server, visit)]).toEqual([path, oneReplicaRead]);
    }
    // These requests read from the primary in a way that `readsDuring` does not count.
    const none = { replica: 0, primary: 0 };
    for (const path of [
      '/user',
      '/events?relation=joined',
      `/discover/events/${event.id}`,
      '/notices',
      '/changes',
      '/tokens',
    ]) {
      expect([path, await readsDuring(server, () => karel.api.get(path))]).toEqual([path, none]);
    }
    // On the replica, pg_stat_activity contains the last statement of each connection.
    const statements = await cluster.standby.sql<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'events'`,
    );
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter(({ query }) => /\b(INSERT|UPDATE|DELETE|web_sessions|tokens)\b/.test(query))).toEqual([]);
  });

  // OPS-64
  it('is asked whether a file is hidden; if the replica answers yes, the primary is asked too, and the primary’s answer counts', async () => {
    const event = await buildEvent(server, petr, { photos_enabled: true });
    const photo = new Blob([new Uint8Array(await picture('png', { width: 40 }))]);
    const { body } = await petr.api.upload(`/events/${event.id}/images`, [['images[]', photo]]);
    const file = `~/media/${String(body.data[0].url).split('/').at(-1)}`;
    const statusAndReads = async () => {
      let status = 0;
      const reads = await readsDuring(server, async () => void ({ status } = await server.nobody.get(file)));
      return { status, ...reads };
    };
    const setRemoved = async (isRemoved: boolean): Promise<void> =>
      void (await server.sql('UPDATE all_events SET removed_at = CASE WHEN $2 THEN now() END WHERE id = $1', [
        event.eventId,
        isRemoved,
      ]));
    await cluster.waitForReplica();
    expect(await statusAndReads()).toEqual({ status: 200, replica: 1, primary: 0 });
    // While the replay is paused, the removal is not visible on the replica. The server is notified of the removal, and
    // therefore reads from the primary (OPS-82).
    await cluster.pause();
    await setRemoved(true);
    await waitUntil(async () => (await server.nobody.get(file)).status === 404);
    await cluster.replay();
    await cluster.waitForReplica();
    expect(await statusAndReads()).toEqual({ status: 404, replica: 1, primary: 1 });
    // While the replay is paused, the event is still removed on the replica.
    await cluster.pause();
    await setRemoved(false);
    expect(await statusAndReads()).toEqual({ status: 200, replica: 1, primary: 1 });
    await cluster.replay();
    await cluster.waitForReplica();
    expect(await statusAndReads()).toEqual({ status: 200, replica: 1, primary: 0 });
  });

  // OPS-65
  it('is not used for a person until it has replayed the person’s last write', async () => {
    const event = await buildEvent(server, petr);
    await cluster.waitForReplica();
    await cluster.pause();
    expect((await jana.api.post(`/events/${event.id}/join`, {})).status).toBe(200);
    expect((await eventInDiscover(jana, event.id))?.viewer.participation).toBe('confirmed');
    const newEvent = await karel.api.post('/events', eventBody({ title: 'Po zastavení' }));
    expect(newEvent.status).toBe(201);
    // For other people, lists still show the state before the writes, but the page of the new event is not a 404.
    expect((await discover(petr)).events.map(({ id }) => id)).not.toContain(newEvent.body.data.id);
    expect((await new Visitor(server).get(`/events/${newEvent.body.data.id}`)).status).toBe(200);
    expect(await readsDuring(server, () => discover(petr))).toEqual({ replica: 1, primary: 0 });
    expect(await readsDuring(server, () => discover(jana))).toEqual({ replica: 0, primary: 1 });
    await cluster.replay();
    await cluster.waitForReplica();
    expect(await eventInDiscover(petr, newEvent.body.data.id)).toBeDefined();
    expect(await readsDuring(server, () => discover(jana))).toEqual({ replica: 1, primary: 0 });
    expect((await eventInDiscover(jana, event.id))?.viewer.participation).toBe('confirmed');
  });

  // OPS-82
  it('shows no hidden content, even if another server processed the request that hid the content', async () => {
    const other = await cluster.server();
    const { olga } = await server.people('olga');
    const [madePrivate, removed, deleted, ofBannedOrganizer] = [
      await buildEvent(server, petr),
      await buildEvent(server, petr),
      await buildEvent(server, petr),
      await buildEvent(server, olga),
    ];
    await cluster.waitForReplica();
    const servers = [karel.api, clientOf(other, karel.token)];
    const listed = async (client: HttpClient): Promise<string[]> =>
      (await client.get(DISCOVER)).body.data.map(({ id }: Shown) => id);
    const untilGoneOnBothServers = async (gone: string): Promise<void> =>
      waitUntil(async () => (await Promise.all(servers.map(listed))).every((ids) => !ids.includes(gone)));
    for (const client of servers)
      expect(await listed(client)).toEqual(
        expect.arrayContaining([madePrivate, removed, deleted, ofBannedOrganizer].map(({ id }) => id)),
      );
    await cluster.pause();
    // On the server that handled the request, the content is hidden before the response.
    expect((await petr.api.patch(`/events/${madePrivate.id}`, { is_public: false })).status).toBe(200);
    expect(await listed(karel.api)).not.toContain(madePrivate.id);
    await untilGoneOnBothServers(madePrivate.id);
    expect((await petr.api.delete(`/events/${deleted.id}`)).status).toBe(204);
    expect(await listed(karel.api)).not.toContain(deleted.id);
    await untilGoneOnBothServers(deleted.id);
    // Another process, such as the command line, hides the content.
    await server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [removed.eventId]);
    await untilGoneOnBothServers(removed.id);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [olga.userId]);
    await untilGoneOnBothServers(ofBannedOrganizer.id);
    await cluster.replay();
    await cluster.waitForReplica();
    expect(await readsDuring(server, () => discover(karel))).toEqual({ replica: 1, primary: 0 });
    await buildEvent(server, petr);
    expect(await readsDuring(server, () => discover(karel))).toEqual({ replica: 1, primary: 0 });
  });

  // OPS-65
  it('is not used for the pages of a person who has just registered, until it has replayed the registration', async () => {
    const visitor = new Visitor(server);
    await cluster.pause();
    await visitor.register('eva@example.org');
    expect((await visitor.get('/groups')).html).toContain('/sign-out');
    expect(await readsDuring(server, () => visitor.get('/'))).toEqual({ replica: 0, primary: 1 });
    await cluster.replay();
    await cluster.waitForReplica();
    expect(await readsDuring(server, () => visitor.get('/'))).toEqual({ replica: 1, primary: 0 });
  });

  // OPS-66
  it('has its own totals of lists, which are correct for any order of commits', async () => {
    const writer = new Client({ connectionString: cluster.primary.url });
    await writer.connect();
    try {
      for (const [isBlock, query] of [
        [false, ''],
        [true, ''],
        [false, '&q=piknik'],
      ] as const) {
        const events = await Promise.all([0, 1, 2].map(() => buildEvent(server, petr)));
        await writer.query('BEGIN');
        if (isBlock)
          await writer.query('INSERT INTO user_blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now())', [
            petr.userId,
            karel.userId,
          ]);
        else await writer.query('UPDATE events SET is_public = false WHERE id = $1', [events[0]?.eventId]);
        // This transaction begins after the open transaction of `writer` and commits before it, so the replica receives
        // this transaction first.
        await buildEvent(server, jana);
        await cluster.waitForReplica();
        const before = await discover(karel, query);
        await discover(karel, query);
        await writer.query('COMMIT');
        await cluster.waitForReplica();
        const reads = await readsDuring(server, async () => {
          expect((await discover(karel, query)).total).toBeLessThan(before.total);
        });
        expect(reads).toEqual({ replica: 1, primary: 0 });
        await server.sql('DELETE FROM user_blocks');
      }
    } finally {
      await writer.end();
    }
  });

  // OPS-66
  it('and the primary compare an ETag only with their own data', async () => {
    const event = await buildEvent(server, petr);
    await cluster.waitForReplica();
    const request = async (etag = ''): Promise<Answer> =>
      karel.api.send('GET', DISCOVER, { headers: etag === '' ? {} : { 'if-none-match': etag } });
    const etag = (await request()).headers.get('etag') ?? '';
    for (let n = 0; n < 3; n++) expect((await request(etag)).status).toBe(304);
    await cluster.pause();
    expect((await request(etag)).status).toBe(304);
    await server.sql(`UPDATE events SET title = 'Jiný název', revision = revision + 1 WHERE id = $1`, [event.eventId]);
    expect((await request(etag)).status).toBe(304);
    // After this write, the primary answers the requests of this person.
    expect((await karel.api.post(`/events/${event.id}/join`, {})).status).toBe(200);
    const fromPrimary = await request(etag);
    expect([fromPrimary.status, fromPrimary.text.includes('Jiný název')]).toEqual([200, true]);
    const etagOfPrimary = fromPrimary.headers.get('etag') ?? '';
    expect((await request(etagOfPrimary)).status).toBe(304);
    await cluster.replay();
    await cluster.waitForReplica();
    expect((await request(etagOfPrimary)).status).toBe(304);
    await server.sql(`UPDATE events SET title = 'Zase jiný' WHERE id = $1`, [event.eventId]);
    await cluster.waitForReplica();
    expect((await request(etagOfPrimary)).status).toBe(200);
  });

  // OPS-66
  it('and the primary do not share cached totals', async () => {
    const [eva, jan] = [await server.person('eva'), await server.person('jan')];
    const event = await buildEvent(server, petr);
    await cluster.waitForReplica();
    await discover(karel);
    await cluster.pause();
    await buildEvent(server, petr);
    expect((await eva.api.post(`/events/${event.id}/join`, {})).status).toBe(200);
    const [onPrimary, onReplica] = [await discover(eva), await discover(jan)];
    expect(onPrimary.total).toBe(onReplica.total + 1);
    await buildEvent(server, petr);
    expect([(await discover(eva)).total, (await discover(jan)).total]).toEqual([onReplica.total + 2, onReplica.total]);
    await cluster.replay();
    await cluster.waitForReplica();
    expect([(await discover(eva)).total, (await discover(jan)).total]).toEqual([
      onReplica.total + 2,
      onReplica.total + 2,
    ]);
  });

  // OPS-67
  it('is not used while its lag exceeds the configured maximum, and is used again afterwards', async () => {
    const otherServer = await cluster.server({ databaseReplicaMaxLag: 1 });
    const withReplica = clientOf(otherServer, karel.token);
    await withReplica.get(DISCOVER);
    await cluster.waitForReplica();
    await waitUntil(async () => (await readsDuring(otherServer, () => withReplica.get(DISCOVER))).replica === 1);
    await cluster.pause();
    await buildEvent(server, petr);
    await waitUntil(async () => replicaOf(otherServer).unusableReason !== null);
    expect(replicaOf(otherServer).unusableReason).toMatch(/^it is \d+\.\d seconds behind$/);
    expect(replicaOf(otherServer).lagSeconds).toBeGreaterThan(1);
    expect(await readsDuring(otherServer, () => withReplica.get(DISCOVER))).toEqual({ replica: 0, primary: 1 });
    await cluster.replay();
    await cluster.waitForReplica();
    await waitUntil(async () => (await readsDuring(otherServer, () => withReplica.get(DISCOVER))).replica === 1);
  });

  // OPS-67
  it('may cancel a statement because of a replay conflict: the service then runs the statement on the primary', async () => {
    const setStandbyDelay = async (setting: string): Promise<void> => {
      await cluster.standby.sql(`ALTER SYSTEM ${setting}`);
      await cluster.standby.sql('SELECT pg_reload_conf()');
    };
    await setStandbyDelay('SET max_standby_streaming_delay = 0');
    const stranger = { method: 'GET', headers: {}, caller: null, signedIn: null } as unknown as FastifyRequest;
    const slow = statement(
      'replicas_slow',
      `SELECT count(*)::int AS people, CASE WHEN pg_is_in_recovery() THEN pg_sleep(50)::text END AS slept FROM users`,
    );
    const usedServers: string[] = [];
    const answer = currentRequest.run(stranger, () =>
      server.app.get(ReadingDatabase).during(async (name) => {
        usedServers.push(name);
        return server.database.rows<{ people: number }>(slow);
      }),
    );
    await waitUntil(
      async () => (await cluster.standby.sql(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length > 0,
    );
    await server.sql('UPDATE users SET nickname = nickname');
    await server.sql('VACUUM users');
    expect((await answer)[0]?.people).toBeGreaterThan(2);
    await setStandbyDelay('RESET max_standby_streaming_delay');
    expect(usedServers).toEqual([replicaOf(server).name, 'primary']);
    expect(replicaOf(server).unusableReason).toBeNull();
  });

  // OPS-67
  it('that dies or does not respond makes no request fail, and is used again when it is available', async () => {
    // This server has a short timeout for new connections. The other servers have a long timeout, because the machine
    // may be busy.
    const otherServer = await cluster.server({
      databaseTimeouts: { ...server.app.get(Settings).databaseTimeouts, connect: 2_000 },
    });
    const crowd = [karel, petr, jana].map(({ token }) => clientOf(otherServer, token));
    const statuses = new Set<number>();
    let isEnding = false;
    // The readers pause between two reads, because the test is long and the processor must also start the replica.
    const readers = crowd.map(async (who) => {
      while (!isEnding) {
        statuses.add((await who.get(DISCOVER)).status);
        await pause(20);
      }
    });
    try {
      await cluster.standby.kill();
      await waitUntil(async () => replicaOf(otherServer).unusableReason !== null);
      await cluster.standby.start();
      await waitUntil(async () => replicaOf(otherServer).unusableReason === null);
      cluster.standby.freeze();
      await waitUntil(async () => replicaOf(otherServer).unusableReason !== null);
      await cluster.standby.kill();
      await cluster.standby.start();
    } finally {
      isEnding = true;
      await Promise.all(readers);
    }
    expect([...statuses]).toEqual([200]);
    await waitUntil(
      async () =>
        (await readsDuring(otherServer, () => clientOf(otherServer, karel.token).get(DISCOVER))).replica === 1,
    );
  });

  // OPS-65, OPS-66
  it('never shows people a state without their own last write, even if people write at random and the replay stops and continues', async () => {
    const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => server.person(name)));
    const host = await server.person('host');
    const events = await Promise.all(Array.from({ length: 6 }, () => buildEvent(server, host)));
    await cluster.waitForReplica();
    const reads = await readsDuring(server, async () => {
      await Promise.all(
        people.map(async (who, n) => {
          const joined = new Set<string>();
          for (let round = 0; round < repetitions('replica_histories'); round++) {
            const { id = '' } = events[Math.floor(Math.random() * events.length)] ?? {};
            const changed = joined.has(id)
              ? await who.api.delete(`/events/${id}/join`)
              : await who.api.post(`/events/${id}/join`, {});
            expect(changed.status).toBeLessThan(300);
            if (!joined.delete(id)) joined.add(id);
            if (n === 0) await (round % 4 < 2 ? cluster.pause() : cluster.replay());
            if (n === 1) await buildEvent(server, host);
            const { events: shown } = await discover(who);
            expect(
              shown
                .filter(({ viewer }) => viewer.participation === 'confirmed')
                .map((event) => event.id)
                .sort(),
            ).toEqual([...joined].sort());
            // Karel has written nothing for a while, so the replica answers him.
            await discover(karel);
          }
        }),
      );
    });
    expect(reads.replica).toBeGreaterThan(0);
    expect(reads.primary).toBeGreaterThan(0);
  });

  // OPS-67, OPS-65, OPS-51
  it('is reported by doctor and by metrics', async () => {
    const commandLine = CommandLine.forDatabaseOf(server.app.get(Settings));
    const doctor = async (urls: string): Promise<{ code: number; replicas: { ok: boolean; detail: string } }> => {
      const { code, stdout } = await commandLine.run(['doctor'], '', { DATABASE_REPLICA_URLS: urls });
      return { code, replicas: (JSON.parse(stdout) as { replicas: { ok: boolean; detail: string } }).replicas };
    };
    const { primary, standby } = cluster;
    expect(await doctor(standby.url)).toEqual({
      code: 0,
      replicas: { ok: true, detail: expect.stringMatching(new RegExp(`^127.0.0.1:${standby.port}; .* set REDIS_URL`)) },
    });
    expect(await doctor(primary.url)).toEqual({
      code: 1,
      replicas: { ok: false, detail: `127.0.0.1:${primary.port} is not used for reads: it is no standby` },
    });
    const other = standby.url.replace(/[^/]*$/, 'postgres');
    expect((await doctor(other)).replicas).toEqual({
      ok: false,
      detail: `127.0.0.1:${standby.port} is not used for reads: it does not replicate the database of DATABASE_URL`,
    });
    expect((await doctor('postgres://127.0.0.1:1/events')).replicas).toEqual({
      ok: false,
      detail: expect.stringContaining('ECONNREFUSED'),
    });

    const name = replicaOf(server).name;
    // Waits until at least one read has run on the replica.
    await waitUntil(async () => {
      await server.nobody.get('~/');
      return (server.app.get(ReadingDatabase).readsPerServer.get(name) ?? 0) > 0;
    });
    const text = await (
      await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).text();
    expect(text).toContain(`database_replica_out{replica="${name}"} 0`);
    expect(text).toMatch(new RegExp(`^database_replica_lag_seconds\\{replica="${name}"\\} \\d`, 'm'));
    expect(text).toMatch(new RegExp(`^database_reads\\{server="${name}"\\} [1-9]`, 'm'));
  });

  describeWith('redis-server', 'with Redis', () => {
    let redis: RedisServer;
    beforeAll(async () => (redis = await RedisServer.start()));
    afterAll(() => redis.stop());

    // OPS-65
    it('is not used for a person who has just written through another server, even while Redis is down', async () => {
      const [one, other] = [
        await cluster.server({ redisUrl: redis.url }),
        await cluster.server({ redisUrl: redis.url }),
      ];
      const [clientOfOne, clientOfOther] = [clientOf(one, jana.token), clientOf(other, jana.token)];
      const event = await buildEvent(server, petr);
      await cluster.waitForReplica();
      expect(await readsDuring(other, () => clientOfOther.get(DISCOVER))).toEqual({ replica: 1, primary: 0 });
      await cluster.pause();
      expect((await clientOfOne.post(`/events/${event.id}/join`, {})).status).toBe(200);
      const participationAtOther = async (): Promise<string | null | undefined> =>
        ((await clientOfOther.get(DISCOVER)).body.data as Shown[]).find(({ id }) => id === event.id)?.viewer
          .participation;
      expect(await participationAtOther()).toBe('confirmed');
      await redis.kill();
      expect(await participationAtOther()).toBe('confirmed');
      expect((await clientOfOne.delete(`/events/${event.id}/join`)).status).toBe(204);
      expect(await participationAtOther()).toBeNull();
      expect(other.app.get(ReadingDatabase).store).toBe('memory-for-redis');
      // Redis is empty after its restart, so the servers send it the positions of the last writes again.
      await redis.resume();
      await waitUntil(async () => [one, other].every(({ app }) => app.get(ReadingDatabase).store === 'redis'));
      expect(await participationAtOther()).toBeNull();
      await cluster.replay();
      await cluster.waitForReplica();
      expect(await readsDuring(other, () => clientOfOther.get(DISCOVER))).toEqual({ replica: 1, primary: 0 });
    });
  });
});

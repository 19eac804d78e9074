import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { Settings } from '#platform/config/settings';
import { buildEvent, eventBody } from '#testing/builders';
import { crowd } from '#testing/crowd';
import { HttpClient } from '#testing/http-client';
import { ledgerFaults } from '#testing/ledger';
import { LosingProxy } from '#testing/losing-proxy';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const KILLS = repetitions('retry_kills');
const PEOPLE = 12;
/** Time within which a request must succeed, including its repetitions and the replacement of a killed server. */
const TIMEOUT_MS = 90_000;
const article = (title: string) => ({ title, categories: ['mista'], body: '<p>Text</p>', status: 'published' });

/** An action that must happen exactly once. */
interface Intention {
  readonly who: Person;
  readonly method: string;
  readonly path: string;
  readonly json?: Record<string, unknown>;
}

/** RETRY-3: responses are lost, servers are killed, and clients retry until they get a successful response. */
describe('repeated requests after lost responses', () => {
  let server: TestServer;
  let organizer: Person;
  let proxy: LosingProxy;
  beforeAll(async () => {
    server = await TestServer.start();
    [organizer] = (await crowd(server, 1)) as [Person];
    proxy = await LosingProxy.start(server.origin);
  });
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });

  const start = () => {
    const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
    return ServerProcess.start({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
      RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
      RATE_LIMIT_IP_PER_MINUTE: '1000000',
    });
  };

  /** Repeats the request until it succeeds, and returns the number of requests. */
  async function repeatUntilSuccess({ who, method, path, json }: Intention, withKey: boolean): Promise<number> {
    const headers: Record<string, string> = withKey ? { 'idempotency-key': randomUUID() } : {};
    const client = new HttpClient(proxy.origin, { authorization: `Bearer ${who.token}` });
    const deadline = Date.now() + TIMEOUT_MS;
    for (let tries = 1; Date.now() < deadline; tries++) {
      const answer = await client.send(method, path, { ...(json && { json }), headers }).catch(() => null);
      if (answer && answer.status < 300) return tries;
      // The response was lost, an earlier request is still in progress, or the server is being replaced. Any other
      // result is a failure.
      if (answer && answer.status !== 503 && answer.body?.code !== 'request_in_progress')
        throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      await pause(answer ? 400 : 40);
    }
    throw new Error(`${method} ${path}: no answer in time`);
  }

  interface Round {
    readonly people: readonly Person[];
    /** The id of the event that everybody joins. */
    readonly joinedEventId: number;
    /** The id of the event that everybody has paid for and leaves. */
    readonly paidEventId: number;
    readonly intentions: readonly Intention[];
  }

  async function prepare(): Promise<Round> {
    const people = await crowd(server, PEOPLE);
    const joinedEvent = await buildEvent(server, organizer, { max_participants: PEOPLE + 1 });
    const paidEvent = await buildEvent(server, organizer, { editorial: { ticketPriceCredits: 10 } });
    await server.database.transaction(async (tx) => {
      for (const who of people) {
        await server.app.get(CreditsCommands).grant(tx, who.userId, 10);
        await server.app.get(ParticipationCommands).setParticipation(tx, paidEvent.eventId, who.userId, {
          status: 'confirmed',
          checkedInAt: null,
          paidCredits: 10,
        });
      }
    });
    const intentions = people.flatMap((who): Intention[] => [
      { who, method: 'POST', path: '/events', json: eventBody() },
      { who, method: 'POST', path: '/posts', json: article('Jednou') },
      { who, method: 'POST', path: `/events/${joinedEvent.id}/join`, json: {} },
      { who, method: 'DELETE', path: `/events/${paidEvent.id}/join` },
    ]);
    return { people, joinedEventId: joinedEvent.eventId, paidEventId: paidEvent.eventId, intentions };
  }

  async function count(fromClause: string, ...values: unknown[]): Promise<number> {
    const [row] = await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${fromClause}`, values);
    return row?.n ?? -1;
  }

  // RETRY-3, RETRY-4, RETRY-8
  it(`take effect exactly once, even when ${KILLS} servers are killed`, async () => {
    let requestCount = 0;
    let intentionCount = 0;
    let nextProcess = start();
    for (let kill = 0; kill < KILLS; kill++) {
      const { people, joinedEventId, paidEventId, intentions } = await prepare();
      const serverProcess = await nextProcess;
      proxy.target = serverProcess.origin;
      const lostBefore = proxy.lost;
      const all = Promise.all(intentions.map((intention) => repeatUntilSuccess(intention, true)));
      void all.catch(() => undefined);
      // After the last kill, the server in the process of this test replaces the killed server.
      const isLast = kill === KILLS - 1;
      if (!isLast) nextProcess = start();
      // The server is killed at different points of its work.
      await waitUntil(() => proxy.lost - lostBefore >= 3 + (kill % 7));
      await serverProcess.kill();
      proxy.target = isLast ? server.origin : (await nextProcess).origin;
      requestCount += (await all).reduce((sum, tries) => sum + tries, 0);
      intentionCount += intentions.length;

      const ids = people.map(({ userId }) => userId);
      expect(await count('events WHERE organizer_id = ANY($1)', ids)).toBe(PEOPLE);
      expect(await server.sql('SELECT DISTINCT taken FROM daily_counters WHERE user_id = ANY($1)', [ids])).toEqual([
        { taken: 1 },
      ]);
      expect(await count('posts WHERE author_id = ANY($1)', ids)).toBe(PEOPLE);
      expect(await count(`participations WHERE event_id = $1 AND status = 'confirmed'`, joinedEventId)).toBe(PEOPLE);
      expect(
        await server.sql('SELECT confirmed_count FROM events WHERE id = ANY($1) ORDER BY id', [
          [joinedEventId, paidEventId],
        ]),
      ).toEqual([{ confirmed_count: PEOPLE }, { confirmed_count: 0 }]);
      expect(await count(`credit_holds WHERE event_id = $1 AND status = 'refunded'`, paidEventId)).toBe(PEOPLE);
      expect(await ledgerFaults(server)).toEqual([]);
    }
    // If no responses were lost, the test would prove nothing.
    expect(requestCount).toBeGreaterThan(intentionCount * 1.2);
  }, 1_500_000);

  // RETRY-3: the control experiment shows that responses are really lost.
  it('take effect more than once without idempotency keys', async () => {
    proxy.target = server.origin;
    const people = await crowd(server, PEOPLE);
    await Promise.all(
      people.flatMap((who) =>
        [1, 2, 3].map((n) =>
          repeatUntilSuccess({ who, method: 'POST', path: '/posts', json: article(`Bez klíče ${n}`) }, false),
        ),
      ),
    );
    expect(
      await count(
        'posts WHERE author_id = ANY($1)',
        people.map(({ userId }) => userId),
      ),
    ).toBeGreaterThan(PEOPLE * 3);
  }, 120_000);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { OpenRequestLimits } from '#areas/changes/live/open-request-limits';
import { DataExports } from '#areas/own-data/data-exports';
import { Exporter } from '#areas/own-data/export/exporter';
import { TAKE_DUE as TAKE_DUE_PUSHES } from '#areas/push/sending.query';
import { TAKE_DUE } from '#areas/webhooks/sending.query';
import { LIMITS } from '#contract/limits';
import type { ReservedReceiver } from '#platform/changes/lane-sender';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { currentRequest } from '#platform/context/current-request';
import { Pictures } from '#platform/media/pictures';
import { Videos } from '#platform/media/videos';
import { HostNames } from '#platform/net/host-names';
import { BodyGate } from '#platform/uploads/body-gate';
import { picture } from '#testing/media';
import { NameServer } from '#testing/name-server';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

/**
 * A kind of limited work. `account` limits how much of this work runs at the same time for one account. `all` limits
 * how much runs for all accounts together.
 */
type Share = keyof typeof LIMITS.shares;

/** Work that runs until the test calls `open`. */
class Gate {
  running = 0;
  private readonly waiting: (() => void)[] = [];

  readonly pass = async (): Promise<void> => {
    this.running++;
    await new Promise<void>((done) => this.waiting.push(done));
    this.running--;
  };

  open(): void {
    for (const done of this.waiting.splice(0)) done();
  }
}

/** The number of units of work that one account starts. It exceeds the share of one account in every kind of work. */
const UNITS_OF_WORK = 12;

// LIM-15
describe('the share of one account in limited work', () => {
  let server: TestServer;
  let nameServer: NameServer;
  let greedy: Person;
  let other: Person;

  beforeAll(async () => {
    nameServer = await NameServer.open('good.example.org');
    server = await TestServer.start({ webhooksAllowPrivate: true, nameservers: [nameServer.address] });
    ({ greedy, other } = await server.people('greedy', 'other'));
  });
  afterAll(async () => {
    await server.stop();
    nameServer.close();
  });

  const runAs = <T>(person: Person, work: () => Promise<T>): Promise<T> =>
    currentRequest.run({ caller: { id: person.userId } } as FastifyRequest, work);

  /**
   * The greedy account starts more work than its share allows. The other account must not have to wait until all this
   * work is finished.
   */
  async function expectWorkShare(
    share: Share,
    run: (person: Person, work: () => Promise<void>) => Promise<unknown>,
  ): Promise<void> {
    const { account, all } = LIMITS.shares[share];
    const gate = new Gate();
    let finished = 0;
    const greedyWork = Array.from({ length: UNITS_OF_WORK }, () => run(greedy, gate.pass).then(() => finished++));
    await waitUntil(() => gate.running === account);
    const otherWork = run(other, () => Promise.resolve());
    // If the share of one account is as large as the total of all accounts, the other account can start only after some
    // work of the greedy account has ended.
    if (account === all) gate.open();
    await otherWork;
    expect([finished <= account, gate.running <= account]).toEqual([true, true]);
    while (finished < UNITS_OF_WORK) {
      gate.open();
      await pause(1);
    }
    await Promise.all(greedyWork);
  }

  /**
   * Returns a function that runs work within two limits of a service: the account's share, and the total. `shares` and
   * `total` are the names of the service's private properties with these limits.
   */
  const runWithin = (service: object, shares: string, total: string) => (person: Person, work: () => Promise<void>) => {
    type Run = (...parts: unknown[]) => Promise<unknown>;
    const [ofAccount, ofAll] = [
      Reflect.get(service, shares) as { run: Run },
      Reflect.get(service, total) as { run: Run },
    ];
    return ofAccount.run(person.userId, () => ofAll.run(work));
  };

  async function expectOpenRequestShare(kind: 'stream' | 'wait', share: Share): Promise<void> {
    const limits = server.app.get(OpenRequestLimits);
    const releases = await Promise.all(
      Array.from({ length: LIMITS.shares[share].account }, () => limits.take(greedy.userId, kind)),
    );
    await expect(limits.take(greedy.userId, kind)).rejects.toMatchObject({ code: 'too_many_requests' });
    const release = await limits.take(other.userId, kind);
    await Promise.all([...releases, release].map((end) => end()));
    // LIM-17: the limit of one process for all accounts together. This stand-in for the database accepts every account.
    const acceptingDatabase = { outsideTransaction: { rows: async () => [{ seconds: null }] } };
    const limitsOfProcess = new OpenRequestLimits(acceptingDatabase as never);
    await Promise.all(Array.from({ length: LIMITS.shares[share].all }, (_, n) => limitsOfProcess.take(n, kind)));
    await expect(limitsOfProcess.take(-1, kind)).rejects.toBeInstanceOf(ServiceBusy);
    await limitsOfProcess.take(-1, kind === 'stream' ? 'wait' : 'stream');
    await limitsOfProcess.onApplicationShutdown();
  }

  async function expectWebhookShare(isSlow: boolean, share: Share): Promise<void> {
    const addWebhooks = async (person: Person, count: number) =>
      server.sql(
        `WITH made AS (INSERT INTO webhooks (user_id, url, secret_sealed, position, is_slow, created_at, updated_at)
                     SELECT $1, 'http://127.0.0.1:1/', '', '', $3, now(), now() FROM generate_series(1, $2) RETURNING id)
       INSERT INTO webhook_deliveries (webhook_id, message_id, body, next_attempt_at, created_at) SELECT id, 'msg_' || id, '{}', now() - interval '1 minute', now() FROM made`,
        [person.userId, count, isSlow],
      );
    await addWebhooks(greedy, UNITS_OF_WORK);
    await addWebhooks(other, 1);
    const now = server.clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const slots = LIMITS.shares[share].account + 1;
    const reserved = await server.database.rows<ReservedReceiver>(TAKE_DUE, [
      now,
      later(30_000),
      slots,
      slots,
      later(-3_600_000),
    ]);
    const owners = await server.sql<{ user_id: string }>('SELECT user_id FROM webhooks WHERE id = ANY($1)', [
      reserved.map(({ id }) => id),
    ]);
    expect(owners.filter(({ user_id }) => Number(user_id) === greedy.userId)).toHaveLength(
      LIMITS.shares[share].account,
    );
    expect(owners.filter(({ user_id }) => Number(user_id) === other.userId)).toHaveLength(1);
    await server.sql('DELETE FROM webhooks');
  }

  async function expectPushShare(isSlow: boolean, share: Share): Promise<void> {
    const subscribe = async ({ userId }: Person, count: number) =>
      server.sql(
        `INSERT INTO push_subscriptions (id, user_id, session_id, endpoint_hash, subscription_sealed, host, name, is_slow, created_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), encode(sha256(($4 || '-' || n)::bytea), 'hex'), '', '', '', $3, now() FROM generate_series(1, $2) n`,
        [userId, count, isSlow, String(userId)],
      );
    // For each subscription, a trigger of the database queues a push message about the notice.
    const notify = ({ userId }: Person) =>
      server.sql(
        `INSERT INTO notifications (user_id, kind, subject_type, subject_id, created_at)
         VALUES ($1, 'invitation', 'group', 1, now() - interval '1 minute')`,
        [userId],
      );
    await subscribe(greedy, UNITS_OF_WORK);
    await subscribe(other, 1);
    for (const person of [greedy, other]) await notify(person);
    const now = server.clock.now();
    const slots = LIMITS.shares[share].account + 1;
    const until = new Date(now.getTime() + 30_000);
    const reserved = await server.database.rows<ReservedReceiver>(TAKE_DUE_PUSHES, [now, until, slots, slots]);
    const owners = await server.sql<{ user_id: string }>('SELECT user_id FROM push_subscriptions WHERE id = ANY($1)', [
      reserved.map(({ id }) => id),
    ]);
    const countOf = ({ userId }: Person) => owners.filter(({ user_id }) => Number(user_id) === userId).length;
    expect([countOf(greedy), countOf(other)]).toEqual([LIMITS.shares[share].account, 1]);
    await server.sql('DELETE FROM push_subscriptions');
    await server.sql('DELETE FROM notifications');
  }

  const SCENARIOS: Record<Share, () => Promise<void>> = {
    names: async () => {
      const names = server.app.get(HostNames);
      const lookups = Array.from({ length: LIMITS.shares.names.account }, (_, n) =>
        names.addressesOf(greedy.userId, `n${n}.silent.example.org`),
      );
      await waitUntil(() => nameServer.unanswered.size === lookups.length);
      expect(await names.addressesOf(other.userId, 'good.example.org')).toHaveLength(1);
      expect(nameServer.unanswered.size).toBe(lookups.length);
      nameServer.startAnswering();
      await Promise.all(lookups);
    },
    bodies: () => {
      const gate = new BodyGate();
      const controller = new AbortController();
      return expectWorkShare('bodies', (person, work) =>
        gate.run({ account: person.userId, address: '192.0.2.1' }, work, controller.signal),
      );
    },
    pictures: () => expectWorkShare('pictures', runWithin(server.app.get(Pictures), 'accountShares', 'slots')),
    heavy_pictures: () =>
      expectWorkShare('heavy_pictures', runWithin(server.app.get(Pictures), 'heavyAccountShares', 'heavySlots')),
    videos: () => expectWorkShare('videos', runWithin(server.app.get(Videos), 'accountConversions', 'conversions')),
    exports: async () => {
      const exports = server.app.get(DataExports);
      const exporter = server.app.get(Exporter);
      const archive = exporter.archive.bind(exporter);
      const gate = new Gate();
      const spy = jest.spyOn(exporter, 'archive').mockImplementation((user, ...rest) => {
        if (user.id !== greedy.userId) return archive(user, ...rest);
        return Readable.from(
          (async function* () {
            await gate.pass();
            yield* archive(user, ...rest);
          })(),
        );
      });
      await exports.request(greedy.userId);
      const job = server.job('data-exports');
      await waitUntil(() => gate.running === 1);
      await exports.request(other.userId);
      await waitUntil(async () => (await exports.stateOf(other.userId))?.status === 'ready');
      expect((await exports.stateOf(greedy.userId))?.status).toBe('pending');
      gate.open();
      expect(await job).toMatchObject({ exports_made: 2 });
      spy.mockRestore();
    },
    webhooks: () => expectWebhookShare(false, 'webhooks'),
    slow_webhooks: () => expectWebhookShare(true, 'slow_webhooks'),
    push: () => expectPushShare(false, 'push'),
    slow_push: () => expectPushShare(true, 'slow_push'),
    streams: () => expectOpenRequestShare('stream', 'streams'),
    waits: () => expectOpenRequestShare('wait', 'waits'),
  };

  it.each(Object.keys(LIMITS.shares) as Share[])('leaves room for other accounts: %s', (share) => SCENARIOS[share]());

  it.each([
    ['pictures', 'accountShares', 640],
    ['costly pictures', 'heavyAccountShares', 2700],
  ])('is counted for the account that sends the request: %s', async (_what, shares, side) => {
    const pictures = server.app.get(Pictures);
    const path = join(server.dataDir, `picture-${side}`);
    await writeFile(path, await picture('webp', { width: side, height: side }));
    const spy = jest
      .spyOn(Reflect.get(pictures, shares) as { run: () => Promise<unknown> }, 'run')
      .mockRejectedValue(new ServiceBusy(1));
    await expect(runAs(other, () => pictures.make({ field: 'image', path }))).rejects.toBeInstanceOf(ServiceBusy);
    expect(spy.mock.calls).toEqual([[other.userId, expect.any(Function)]]);
    spy.mockRestore();
  });
});

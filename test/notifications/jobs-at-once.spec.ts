import { EventChangesJob } from '#areas/notifications/event-changes.job';
import { RemindersJob } from '#areas/notifications/reminders.job';
import { JoinedDigestJob } from '#areas/participation/joined-digest.job';
import { Settings } from '#platform/config/settings';
import { Transaction } from '#platform/database/database';
import { runDetached } from '#platform/database/one-connection';
import { buildEvent } from '#testing/builders';
import { crowd } from '#testing/crowd';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const HOUR_MS = 3_600_000;
const JOBS = [EventChangesJob, RemindersJob, JoinedDigestJob];

/**
 * The jobs write each of their notices only once, even if a job runs on two servers in parallel, or runs again after
 * one of its statements has failed. The tests run the jobs without the lock that normally prevents parallel runs.
 */
describe('the jobs for notices', () => {
  let server: TestServer;
  let other: TestServer;
  let jana: Person;
  let people: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    const { databaseUrl } = server.app.get(Settings);
    other = await TestServer.start({}, undefined, () =>
      Promise.resolve({ url: databaseUrl ?? '', drop: () => Promise.resolve() }),
    );
    [jana, ...people] = (await crowd(server, 9)) as [Person, ...Person[]];
  });
  afterAll(async () => {
    await other.stop();
    await server.stop();
  });

  /** Creates three events, each with a change, a reminder and a digest that are due. Returns their database ids. */
  async function prepare(): Promise<number[]> {
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) {
      const event = await buildEvent(server, jana, {
        starts_at: new Date(server.clock.now().getTime() + 25 * HOUR_MS),
      });
      for (const { api } of people) expect((await api.post(`/events/${event.id}/join`)).status).toBe(200);
      await jana.api.patch(`/events/${event.id}`, { location_name: `Místo ${i}` });
      ids.push(event.eventId);
    }
    server.clock.forward(2 * HOUR_MS);
    return ids;
  }

  /** For each kind: the number of notices, and the number of pairs of a person and an event that have a notice. */
  const written = (ids: readonly number[]) =>
    server.sql(
      'SELECT kind, count(*)::int AS notices, count(DISTINCT (user_id, event_id))::int AS pairs FROM notifications WHERE event_id = ANY ($1) GROUP BY kind ORDER BY kind',
      [ids],
    );
  const noDuplicates = (kind: string, notices: number) => ({ kind, notices, pairs: notices });
  const run = async (target: TestServer, job: (typeof JOBS)[number]) =>
    runDetached(() => target.app.get(job).run({ now: server.clock.now(), signal: new AbortController().signal }));

  // NOTE-19
  it('write each notice only once when the jobs run on two servers in parallel', async () => {
    const ids = await prepare();
    await Promise.all([server, other, server, other].flatMap((target) => JOBS.map((job) => run(target, job))));
    expect(await written(ids)).toEqual([
      noDuplicates('event_changed', 24),
      noDuplicates('joined', 3),
      noDuplicates('reminder', 24),
    ]);
  });

  // NOTE-19
  it('write each notice only once when all statements of a job fail in its first run, all after the first statement in its second run, and so on', async () => {
    const ids = await prepare();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- `rows` is called with its transaction below
    const { rows } = Transaction.prototype;
    let stops = 0;
    try {
      for (const job of JOBS) {
        for (let failingStatement = 0, stopped = true; stopped; failingStatement++) {
          let statements = 0;
          Transaction.prototype.rows = function <Row extends object>(
            this: Transaction,
            ...args: Parameters<typeof rows>
          ) {
            if (statements++ >= failingStatement) return Promise.reject(new Error('stopped'));
            return rows.apply(this, args) as Promise<Row[]>;
          };
          stopped = await run(server, job).then(
            () => false,
            (error: Error) => /^(stopped$|\d+ of \d+ items failed)/.test(error.message),
          );
          if (stopped) stops++;
        }
      }
    } finally {
      Transaction.prototype.rows = rows;
    }
    expect(stops).toBeGreaterThan(8);
    expect(await written(ids)).toEqual([
      noDuplicates('event_changed', 24),
      noDuplicates('joined', 3),
      noDuplicates('reminder', 24),
    ]);
  });
});

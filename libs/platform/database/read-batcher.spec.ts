import { once } from 'node:events';
import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { ServerClient } from './server-client';
import { ReadBatcher } from './read-batcher';

const ADD = { name: 'short_add', text: `SELECT $1::int + 1 AS next, now() AS at` };
const DIVIDE = { name: 'short_divide', text: 'SELECT 1 / $1::int AS part' };
const END_ME = { name: 'short_end_me', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };

/** Short reads are described in docs/adr/0311-short-reads.md. */
describe('short reads', () => {
  let test: TestDatabase;
  let pool: Pool;
  let reads: ReadBatcher;
  /** The number of messages to which PostgreSQL has answered completely. */
  let messageCount: number;
  /** The number of reads that were repeated alone. */
  let aloneCount: number;

  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());
  beforeEach(() => {
    pool = poolAt(test.url);
    [messageCount, aloneCount] = [0, 0];
    reads = readsOf(pool);
  });
  afterEach(() => pool.end());

  function poolAt(connectionString: string, max = 10): Pool {
    const newPool = new Pool({ connectionString, max, Client: ServerClient, connectionTimeoutMillis: 1_000 });
    newPool.on('connect', (client) =>
      (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('readyForQuery', () => messageCount++),
    );
    return newPool.on('error', () => undefined);
  }
  const readsOf = (from: Pool): ReadBatcher =>
    new ReadBatcher(
      () => from,
      async ({ name, text, values = [] }) => {
        aloneCount++;
        return (await from.query<object>({ name, text, values: [...values] })).rows;
      },
    );
  const next = (n: unknown) => reads.read<{ next: number; at: Date }>({ ...ADD, values: [n] });
  const range = (length: number) => Array.from({ length }, (_, n) => n);
  const warm = () => Promise.all(range(30).map(next));

  it('return the rows of their own statements, with values that are parsed as pg parses them', async () => {
    const answers = await Promise.all(range(100).map(next));
    expect(answers.map(([row]) => row?.next)).toEqual(range(100).map((n) => n + 1));
    expect(answers.every((rows) => rows.length === 1 && rows[0]?.at instanceof Date)).toBe(true);
    expect(await next(7)).toEqual([{ next: 8, at: expect.any(Date) }]);
  });

  it('share messages on three connections, with at most eight reads in a message', async () => {
    await warm();
    expect(pool.totalCount).toBe(3);
    messageCount = 0;
    await Promise.all(range(24).map(next));
    expect(messageCount).toBeLessThan(8);
    expect(reads.pendingCount).toBe(0);
    messageCount = 0;
    await Promise.all(range(240).map(next));
    expect(messageCount).toBeGreaterThanOrEqual(30);
    expect(messageCount).toBeLessThan(40);
    // The connection of the previous read may not be back in the pool yet.
    while (pool.idleCount < 3) await once(pool, 'release');
    expect([pool.totalCount, pool.idleCount, aloneCount]).toEqual([3, 3, 0]);
  });

  it('are sent immediately if no other read waits', async () => {
    await warm();
    messageCount = 0;
    for (const n of range(5)) await next(n);
    expect(messageCount).toBe(5);
  });

  it.each([
    ['fails', { ...DIVIDE, values: [0] }, { code: '22012' }],
    [
      'has a value that cannot be sent',
      { ...ADD, values: [circle()] },
      { message: expect.stringMatching(/circular/i) },
    ],
  ])('do not fail if another read in the same message %s', async (_what, wrong, error) => {
    await warm();
    const pendingReads = range(60).map((n) => (n % 10 === 5 ? reads.read(wrong) : next(n)));
    const answers = await Promise.allSettled(pendingReads);
    for (const [n, answer] of answers.entries()) {
      if (n % 10 === 5) expect(answer).toMatchObject({ status: 'rejected', reason: error });
      else expect(answer).toMatchObject({ status: 'fulfilled', value: [{ next: n + 1 }] });
    }
    await expect(reads.read(wrong)).rejects.toMatchObject(error);
    expect(await next(1)).toMatchObject([{ next: 2 }]);
  });

  it('fail if their connection ends; reads in other messages do not fail', async () => {
    await warm();
    const answers = await Promise.allSettled(range(60).map((n) => (n === 30 ? reads.read(END_ME) : next(n))));
    const lost = answers.filter(({ status }) => status === 'rejected').length;
    expect(answers[30]?.status).toBe('rejected');
    expect(lost).toBeLessThanOrEqual(8);
    // The reads are not retried, because they could also end the next connection.
    expect(aloneCount).toBe(0);
    expect(await next(1)).toMatchObject([{ next: 2 }]);
  });

  it('fail when no connection can be opened', async () => {
    const unreachable = poolAt('postgres://nobody@127.0.0.1:1/nothing');
    reads = readsOf(unreachable);
    const failed = await Promise.allSettled(range(30).map(next));
    expect(failed.map(({ status }) => status)).toEqual(range(30).map(() => 'rejected'));
    expect((failed[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'ECONNREFUSED' });
    await unreachable.end();
  });

  it('wait for a connection at most as long as other statements', async () => {
    const small = poolAt(test.url, 1);
    reads = readsOf(small);
    const busy = await small.connect();
    const firstRead = next(1);
    const late = new Promise<unknown>((done) => setTimeout(() => done(next(2)), 500));
    await expect(firstRead).rejects.toThrow('timeout exceeded when trying to connect');
    expect(reads.pendingCount).toBe(1);
    busy.release();
    expect(await late).toMatchObject([{ next: 3 }]);
    await small.end();
  });
});

function circle(): object {
  const one: Record<string, unknown> = {};
  return Object.assign(one, { itself: one });
}

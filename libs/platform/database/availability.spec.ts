import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { isUnavailable } from './availability';
import { requestOptions } from './data-source';
import { Database, statement } from './database';
import { openEmbeddedPostgres } from './embedded/embedded-postgres';
import { runningPostmaster } from './embedded/postmaster';
import { runDetached } from './one-connection';

const ONE = statement('test_one', 'SELECT 1 AS one');

async function failure(work: () => Promise<unknown>): Promise<Error> {
  return work().then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: Error) => error,
  );
}

// OPS-10
describe('the check whether the database is unavailable', () => {
  let test: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    source = await new DataSource(requestOptions(test.url, 2)).initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    await source.destroy();
    await test.drop();
  });

  // DATA-19
  it('treats the foreign key error of an INSERT as temporary, so the transaction is repeated, but not the foreign key error of a DELETE', async () => {
    await source.query(
      'CREATE TABLE parents (id int PRIMARY KEY); CREATE TABLE children (id int REFERENCES parents (id)); INSERT INTO parents VALUES (1); INSERT INTO children VALUES (1)',
    );
    expect(isUnavailable(await failure(() => source.query('INSERT INTO children VALUES (2)')))).toBe(true);
    expect(isUnavailable(await failure(() => source.query('DELETE FROM parents')))).toBe(false);
    let tries = 0;
    const result = await database.transaction(async (tx) => {
      if (++tries === 2) return 'repeated';
      return (
        await tx.rows<{ id: string }>(statement('test_orphan', 'INSERT INTO children VALUES (2) RETURNING id'))
      )[0]?.id;
    });
    expect([result, tries]).toEqual(['repeated', 2]);
  });

  it('recognizes neither the errors of invalid queries nor errors that do not come from the database', async () => {
    for (const sql of ['SELECT 1/0', 'SELECT nonsense', `SELECT 'x'::int`, 'SELECT * FROM nowhere']) {
      expect(isUnavailable(await failure(() => source.query(sql)))).toBe(false);
    }
    for (const other of [new Error('no'), new TypeError('x'), 'ECONNREFUSED', null, undefined, {}])
      expect(isUnavailable(other)).toBe(false);
  });

  it('recognizes the timeouts for a lock and for a statement', async () => {
    await source.query('CREATE TABLE busy (id int)');
    await database.transaction(async (tx) => {
      await tx.manager.query('LOCK TABLE busy');
      const waiting = await failure(() =>
        runDetached(() =>
          database.transaction(async (other) => {
            await other.manager.query(`SET LOCAL lock_timeout = '50ms'`);
            await other.manager.query('SELECT * FROM busy');
          }),
        ),
      );
      expect(waiting).toMatchObject({ code: '55P03' });
      expect(isUnavailable(waiting)).toBe(true);
    });
    const slow = await failure(() =>
      database.transaction(async (tx) => {
        await tx.manager.query(`SET LOCAL statement_timeout = '50ms'`);
        await tx.manager.query('SELECT pg_sleep(5)');
      }),
    );
    expect(slow).toMatchObject({ code: '57014' });
    expect(isUnavailable(slow)).toBe(true);
  });

  it('recognizes the timeout of the wait for a free connection', async () => {
    await database.transaction(() =>
      runDetached(() =>
        database.transaction(() =>
          runDetached(async () => {
            expect(isUnavailable(await failure(() => database.rows(ONE)))).toBe(true);
            expect(isUnavailable(await failure(() => database.transaction(async () => 1)))).toBe(true);
          }),
        ),
      ),
    );
    expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('recognizes the end of a connection in a transaction', async () => {
    const ended = await failure(() =>
      database.transaction(async (tx) => {
        await tx.manager.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        await tx.manager.query('SELECT 1');
      }),
    );
    expect(isUnavailable(ended)).toBe(true);
    expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('recognizes a connection that was lost before the commit', async () => {
    const ended = await failure(() =>
      database.transaction(async ({ manager }) => {
        const [{ pid }] = await manager.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        await source.query('SELECT pg_terminate_backend($1)', [pid]);
        while (!manager.queryRunner?.isReleased) await pause(5);
      }),
    );
    expect(isUnavailable(ended)).toBe(true);
    expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('recognizes an address at which no server listens', async () => {
    expect(
      isUnavailable(
        await failure(() => new DataSource(requestOptions('postgres://u:p@127.0.0.1:1/x', 1)).initialize()),
      ),
    ).toBe(true);
  });
});

describe('the pool', () => {
  it('has short timeouts, uses UTC and never uses pg-native', async () => {
    const test = await createTestDatabase();
    const source = await new DataSource(requestOptions(test.url, 3)).initialize();
    const show = async (name: string) =>
      (await source.query<[{ value: string }]>(`SELECT current_setting('${name}') AS value`))[0].value;
    expect(
      await Promise.all(
        ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone'].map(show),
      ),
    ).toEqual(['5s', '3s', '5s', 'UTC']);
    expect((source.driver as unknown as { postgres: { native: unknown } }).postgres.native).toBeUndefined();
    await source.destroy();
    await test.drop();
  });

  // OPS-10
  it('works again after the database was restarted while queries were running', async () => {
    const folder = join(tmpdir(), `restart-${process.pid}-${randomBytes(4).toString('hex')}`);
    const postgres = await openEmbeddedPostgres({ folder, durable: false });
    const source = await new DataSource(requestOptions(postgres.url, 4)).initialize();
    const database = new Database(source);
    await Promise.all(Array.from({ length: 4 }, () => database.rows(ONE)));

    const { pid } = runningPostmaster(join(folder, 'cluster'))!;
    const pending = [
      failure(() => database.transaction(async (tx) => tx.manager.query('SELECT pg_sleep(4)'))),
      failure(() => source.query('SELECT pg_sleep(4)')),
    ];
    await pause(100);
    process.kill(pid, 'SIGINT');
    expect((await Promise.all(pending)).map(isUnavailable)).toEqual([true, true]);

    const refused: boolean[] = [];
    for (;;) {
      const answer = await database.rows(ONE).catch((error: unknown) => isUnavailable(error));
      if (Array.isArray(answer)) break;
      refused.push(answer);
      await pause(20);
    }
    expect(refused.every(Boolean)).toBe(true);
    expect(
      await Promise.all(
        Array.from({ length: 8 }, () => database.transaction(async (tx) => (await tx.rows(ONE)).length)),
      ),
    ).toEqual(Array(8).fill(1));
    await source.destroy();
    await postgres.release();
  });
});

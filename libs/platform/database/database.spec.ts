import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { currentRequest } from '#platform/context/current-request';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { requestOptions } from './data-source';
import { Database, shortRead, statement, type Transaction } from './database';
import { runDetached, onSecondConnection } from './one-connection';

const INSERT_NOTE = statement('test_insert_note', 'INSERT INTO notes (note) VALUES ($1)');
const SELECT_NOTES = statement('test_select_notes', 'SELECT note FROM notes ORDER BY note');
const COUNT_NOTES = statement('test_count_notes', 'SELECT count(*)::int AS n FROM notes');
const PREPARED = statement('test_prepared', 'SELECT statement FROM pg_prepared_statements');
const LOCK_ACCOUNT = statement('test_lock_account', 'SELECT id FROM accounts WHERE id = $1 FOR UPDATE');

describe('a named statement', () => {
  it('is refused if PostgreSQL would shorten its name, or if another statement has the name', () => {
    expect(statement('n'.repeat(63), 'SELECT 1').name).toHaveLength(63);
    expect(() => statement('n'.repeat(64), 'SELECT 1')).toThrow('too long');
    expect(() => statement('n'.repeat(63), 'SELECT 2')).toThrow('Two statements have the name');
    expect(() => shortRead('č'.repeat(32), 'SELECT 1')).toThrow('too long');
  });
});

describe('a transaction', () => {
  let test: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    source = await new DataSource(requestOptions(test.url, 4)).initialize();
    database = new Database(source);
    await source.query('CREATE TABLE notes (note text PRIMARY KEY)');
    await source.query('CREATE TABLE accounts (id int PRIMARY KEY)');
    await source.query('INSERT INTO accounts VALUES (1), (2)');
  });
  beforeEach(() => source.query('TRUNCATE notes'));
  afterAll(async () => {
    await source.destroy();
    await test.drop();
  });

  const notes = async () => (await database.rows<{ note: string }>(SELECT_NOTES)).map(({ note }) => note);
  const serializable = (tx: Transaction) => tx.manager.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');

  it('commits all changes and returns the result of the work', async () => {
    await expect(
      database.transaction(async (tx) => {
        await tx.rows(INSERT_NOTE, ['a']);
        await tx.manager.query(`INSERT INTO notes VALUES ('b')`);
        return (await tx.rows<{ n: number }>(COUNT_NOTES))[0]!.n;
      }),
    ).resolves.toBe(2);
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('runs statements without a name, and the connection does not store these statements', async () => {
    const prepared = await database.transaction(async (tx) => {
      expect(await tx.rows({ name: '', text: 'SELECT $1::int AS n' }, [1])).toEqual([{ n: 1 }]);
      expect(await tx.rows({ name: '', text: 'SELECT $1::int AS m' }, [2])).toEqual([{ m: 2 }]);
      return tx.rows<{ statement: string }>(PREPARED);
    });
    expect(prepared.filter(({ statement }) => statement.startsWith('SELECT $1::int AS'))).toEqual([]);
  });

  it('rolls back all changes if the work throws, and rethrows the error', async () => {
    const refusal = new Error('no');
    const after = jest.fn();
    await expect(
      database.transaction(async (tx) => {
        tx.afterCommit(async () => after());
        await tx.rows(INSERT_NOTE, ['a']);
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(await notes()).toEqual([]);
    expect(after).not.toHaveBeenCalled();
  });

  it('runs its follow-ups in order after the commit, even if one of them fails', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const seen: unknown[] = [];
    await database.transaction(async (tx) => {
      tx.afterCommit(async () => void seen.push('first', await notes()));
      tx.afterCommit(() => {
        throw new Error('the mail server is down');
      });
      tx.afterCommit(async () => void seen.push('last'));
      await tx.rows(INSERT_NOTE, ['a']);
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['first', ['a'], 'last']);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  it('is retried after a serialization failure, and its follow-ups run once', async () => {
    let attempts = 0;
    const attemptsOfFollowUps: number[] = [];
    const bothHaveRead = barrier(2);
    const count = async (name: string) =>
      database.transaction(async (tx) => {
        const attempt = ++attempts;
        tx.afterCommit(async () => void attemptsOfFollowUps.push(attempt));
        await serializable(tx);
        const [{ n }] = (await tx.rows<{ n: number }>(COUNT_NOTES)) as [{ n: number }];
        if (attempt <= 2) await bothHaveRead();
        await tx.rows(INSERT_NOTE, [`${name} saw ${n}`]);
      });
    await Promise.all([count('jana'), count('petr')]);
    expect(attempts).toBe(3);
    expect(attemptsOfFollowUps).toHaveLength(2);
    // Without a retry, both transactions would have read 0.
    expect((await notes()).map((note) => note.slice(-1)).sort()).toEqual(['0', '1']);
  });

  it('is retried after a deadlock', async () => {
    let attempts = 0;
    const bothHoldOne = barrier(2);
    const lockBoth = (first: number, second: number) =>
      database.transaction(async (tx) => {
        const attempt = ++attempts;
        await tx.rows(LOCK_ACCOUNT, [first]);
        if (attempt <= 2) await bothHoldOne();
        await tx.rows(LOCK_ACCOUNT, [second]);
        await tx.rows(INSERT_NOTE, [`${first}`]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    // PostgreSQL aborts one of the two transactions. Under load this may happen more than once. Each transaction has
    // three attempts.
    expect(attempts).toBeGreaterThan(2);
    expect(attempts).toBeLessThanOrEqual(6);
    expect(await notes()).toEqual(['1', '2']);
  });

  it('throws the error after three attempts', async () => {
    let attempts = 0;
    await expect(
      database.transaction(async (tx) => {
        attempts++;
        await tx.manager.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
      }),
    ).rejects.toMatchObject({ code: '40001' });
    expect(attempts).toBe(3);
  });

  // OPS-78
  describe('that uses a second connection', () => {
    // A test server that ran earlier in this process may have made second connections fail. `beforeEach` undoes that.
    beforeEach(() => onSecondConnection(null));
    afterEach(() => onSecondConnection(null));
    const ways: [string, () => Promise<unknown>, string][] = [
      ['a read through the pool', () => database.rows(COUNT_NOTES), 'test_count_notes'],
      ['a single statement with autocommit', () => database.autocommit.rows(INSERT_NOTE, ['x']), 'test_insert_note'],
      ['a statement outside the transaction', () => database.outsideTransaction.rows(COUNT_NOTES), 'test_count_notes'],
      ['a nested transaction', () => database.transaction(async () => undefined), 'transaction'],
      ['TypeORM’s manager', async () => database.manager.query('SELECT 1'), 'EntityManager'],
    ];

    it.each(ways)(
      'fails in tests (case: %s), but the same work succeeds after the end of the transaction',
      async (_, run, name) => {
        onSecondConnection((statement) => {
          throw new Error(`second: ${statement}`);
        });
        await expect(database.transaction(async () => run())).rejects.toThrow(`second: ${name}`);
        let later: () => Promise<unknown> = run;
        await database.transaction(async (tx) => {
          tx.afterCommit(async () => void (await run()));
          await expect(runDetached(() => database.rows(COUNT_NOTES))).resolves.toHaveLength(1);
          // This work belongs to the context of the transaction, but it runs after the transaction's end.
          later = AsyncLocalStorage.bind(() => database.rows(COUNT_NOTES));
        });
        await expect(later()).resolves.toHaveLength(1);
      },
    );

    it('succeeds in production; each statement on a second connection is logged once', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const once = statement(`test_second_${Date.now()}`, 'SELECT 1 AS one');
      for (let i = 0; i < 3; i++)
        await expect(database.transaction(async () => database.rows(once))).resolves.toEqual([{ one: 1 }]);
      expect(logged.mock.calls).toEqual([[expect.stringContaining(once.name)]]);
      logged.mockRestore();
    });
  });

  // RETRY-3
  it('of a request can continue after one of its statements has failed', async () => {
    const unit = database.unit();
    await unit.join((tx) => tx.rows(INSERT_NOTE, ['a']));
    await expect(unit.change(INSERT_NOTE, ['a'])).rejects.toMatchObject({ code: '23505' });
    await unit.change(INSERT_NOTE, ['b']);
    await unit.commitWith(COUNT_NOTES, []);
    expect(await notes()).toEqual(['a', 'b']);
  });

  // OPS-82, OPS-60
  it('of a request reports whether it hides or deletes something, and afterwards leaves no setting on the connection', async () => {
    await source.query(
      'CREATE TRIGGER deletion_is_notified AFTER DELETE ON notes FOR EACH ROW EXECUTE FUNCTION notify_out_of_sight()',
    );
    const single = await new DataSource(requestOptions(test.url, 1)).initialize();
    const followed = new Database(single);
    const commits: object[] = [];
    followed.followCommits(async (commit) => void commits.push(commit));
    const remove = () => followed.transaction((tx) => tx.manager.query('DELETE FROM notes'));
    const position = expect.any(Number) as number;
    try {
      await currentRequest.run({} as FastifyRequest, async () => {
        await followed.transaction((tx) => tx.rows(INSERT_NOTE, ['a']));
        await remove();
        const unit = followed.unit();
        await unit.commitWith(INSERT_NOTE, ['b']);
        await followed.autocommit.rows(INSERT_NOTE, ['c']);
      });
      expect(commits).toEqual([false, true, false, false].map((hidden) => ({ position, hidden })));
      await remove();
      expect(await single.query(`SELECT current_setting('changes.hidden', true) AS setting`)).toEqual([
        { setting: '' },
      ]);
    } finally {
      await single.destroy();
      await source.query('DROP TRIGGER deletion_is_notified ON notes');
    }
  });

  it('returns every connection to the pool', async () => {
    const failing = () =>
      database.transaction(async (tx) => tx.manager.query('SELECT 1/0')).catch((error: { code: string }) => error.code);
    expect(new Set(await Promise.all(Array.from({ length: 12 }, failing)))).toEqual(new Set(['22012']));
    expect(await notes()).toEqual([]);
  });
});

/** Returns a function whose calls wait until it has been called `size` times. */
function barrier(size: number): () => Promise<void> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (--size === 0) open();
    return opened;
  };
}

import { Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { requestOptions } from './data-source';
import { Database, statement } from './database';
import { queryAllInOneMessage, queryInOneMessage, Pipeline } from './pipeline';

const BEGIN = statement('pipelined_begin', 'START TRANSACTION');
const COMMIT = statement('pipelined_commit', 'COMMIT');
/** A rollback does not reset the sequence `drawn`. So the value of `drawn` shows whether this statement has run. */
const DRAW = statement('pipelined_draw', `SELECT nextval('drawn')::int AS n`);
const ADD = statement('pipelined_add', 'INSERT INTO pipelined (note, added) VALUES ($1, $2) RETURNING note, added');
const NOTES = statement('pipelined_notes', 'SELECT note FROM pipelined ORDER BY note');
const FAIL = statement('pipelined_fail', 'SELECT 1 / $1::int');
const MISTAKE = statement('pipelined_mistake', 'SELECT FROM nowhere');
const END_ME = statement('pipelined_end_me', 'SELECT pg_terminate_backend(pg_backend_pid())');

describe('statements in one message', () => {
  let test: TestDatabase;
  let pool: Pool;
  let client: PoolClient;

  beforeAll(async () => {
    test = await createTestDatabase();
    pool = new Pool({ connectionString: test.url, max: 2 });
    pool.on('error', () => undefined);
    await pool.query(
      `CREATE TABLE pipelined (note text PRIMARY KEY, added timestamptz); CREATE SEQUENCE drawn; ${DRAW.text}`,
    );
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE pipelined');
    client = await pool.connect();
    client.on('error', () => undefined);
  });
  afterEach(() => client.release(true));
  afterAll(async () => {
    await pool.end();
    await test.drop();
  });

  const notes = async () => (await pool.query<{ note: string }>(NOTES.text)).rows.map(({ note }) => note);
  const drawn = async () => Number((await pool.query<{ n: string }>('SELECT last_value AS n FROM drawn')).rows[0]?.n);
  const add = (note: string, added = new Date()) => ({ ...ADD, values: [note, added] });

  it('run in order, and return the rows of the last statement', async () => {
    let answers = 0;
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('readyForQuery', () => answers++);
    const added = new Date('2026-11-22T18:00:00.123Z');
    for (const round of ['1', '2']) {
      await expect(queryInOneMessage(client, [BEGIN, add(`a${round}`), add(`b${round}`, added)])).resolves.toEqual([
        { note: `b${round}`, added },
      ]);
      await expect(queryInOneMessage(client, [add(`c${round}`), COMMIT])).resolves.toEqual([]);
    }
    expect(answers).toBe(4);
    expect(await notes()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
    const { rows } = await client.query(
      `SELECT name, generic_plans + custom_plans AS plans FROM pg_prepared_statements WHERE name LIKE '%pipelined_add'`,
    );
    expect(rows).toEqual([{ name: 'pipeline_pipelined_add', plans: '6' }]);
  });

  it('return the rows of each statement with `queryAllInOneMessage`; statements prepared on one connection can be run on another', async () => {
    const [one, other] = [new Date('2026-11-22T18:00:00.123Z'), new Date('2026-11-23T18:00:00.123Z')];
    await queryInOneMessage(client, [add('a'), NOTES]);
    const answers = await queryAllInOneMessage(client, [add('b', one), NOTES, add('c', other)]);
    expect(answers).toEqual([
      [{ note: 'b', added: one }],
      [{ note: 'a' }, { note: 'b' }],
      [{ note: 'c', added: other }],
    ]);
    const another = await pool.connect();
    await expect(queryInOneMessage(another, [NOTES])).resolves.toEqual([{ note: 'a' }, { note: 'b' }, { note: 'c' }]);
    another.release();
  });

  it('fail if the type of a result column has changed since the statement was prepared on this connection', async () => {
    const ALL = statement('pipelined_all', 'SELECT * FROM shaped');
    await pool.query('CREATE TABLE shaped AS SELECT 1::int AS n');
    await expect(queryInOneMessage(client, [ALL])).resolves.toEqual([{ n: 1 }]);
    await pool.query('ALTER TABLE shaped ALTER n TYPE text');
    await expect(queryInOneMessage(client, [ALL])).rejects.toMatchObject({ code: '0A000' });
    await pool.query('DROP TABLE shaped');
  });

  it('can also be run by pg as named statements on the same connection', async () => {
    await client.query({ ...ADD, values: ['a', new Date()] });
    await queryInOneMessage(client, [add('b')]);
    await client.query({ ...ADD, values: ['c', new Date()] });
    expect(await notes()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['fails', { ...FAIL, values: [0] }, '22012'],
    ['cannot be parsed', MISTAKE, '42P01'],
    ['has an invalid value', { ...FAIL, values: ['x'] }, '22P02'],
  ])(
    'are skipped if an earlier statement of the message %s; the connection can then run other messages',
    async (_what, wrong, code) => {
      const before = await drawn();
      for (let round = 0; round < 2; round++) {
        await expect(queryInOneMessage(client, [BEGIN, add('lost'), wrong, DRAW, COMMIT])).rejects.toMatchObject({
          code,
        });
        await client.query('ROLLBACK');
      }
      expect([await notes(), await drawn()]).toEqual([[], before]);
      await queryInOneMessage(client, [BEGIN, add('kept'), DRAW, COMMIT]);
      expect(await notes()).toEqual(['kept']);
    },
  );

  it('have no effect if the connection ends between two of them', async () => {
    const before = await drawn();
    await expect(queryInOneMessage(client, [BEGIN, add('lost'), END_ME, DRAW, COMMIT])).rejects.toThrow();
    expect([await notes(), await drawn()]).toEqual([[], before]);
  });

  it('are not sent if one of the values cannot be converted to a text; the connection can still be used', async () => {
    const circle: Record<string, unknown> = {};
    circle.itself = circle;
    await expect(queryInOneMessage(client, [BEGIN, add('lost'), { ...ADD, values: [circle] }])).rejects.toThrow(
      /circular/i,
    );
    await queryInOneMessage(client, [add('kept')]);
    expect(await notes()).toEqual(['kept']);
  });

  it('are sent without names after `withoutNames`, which can also replace a statement by several', async () => {
    const runWithoutNames = (...statements: ReturnType<typeof add>[]) =>
      new Promise<readonly object[]>((resolve, reject) => {
        const pipeline = new Pipeline([BEGIN, ...statements, COMMIT], (error, rows) =>
          error ? reject(error) : resolve(rows),
        );
        pipeline.withoutNames((text) =>
          text === BEGIN.text
            ? [
                text,
                `SELECT set_config('lock_timeout', '7s', true)`,
                `INSERT INTO pipelined VALUES (current_setting('lock_timeout'))`,
              ]
            : [text],
        );
        client.query(pipeline);
      });
    await runWithoutNames(add('a'), add('b'));
    expect(await notes()).toEqual(['7s', 'a', 'b']);
    expect((await client.query(`SELECT name FROM pg_prepared_statements`)).rows).toEqual([]);
    expect((await client.query<{ lock_timeout: string }>('SHOW lock_timeout')).rows[0]?.lock_timeout).toBe('0');
  });

  // RETRY-7
  describe('that begin a transaction with a lock', () => {
    let source: DataSource;
    let database: Database;
    const LOCK = 295n;
    beforeAll(async () => {
      source = await new DataSource(requestOptions(test.url, 2)).initialize();
      database = new Database(source);
    });
    afterAll(() => source.destroy());

    it('wait while another session holds the lock, and run when the lock is free', async () => {
      const before = await drawn();
      let waits = 0;
      await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
      const unit = database.unit({
        lock: LOCK,
        whenHeldByAnother: async () => {
          expect([await drawn(), database.connections.busy]).toEqual([before, 0]);
          if (++waits === 3) await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
        },
      });
      const [row] = await unit.change<{ n: number }>(DRAW, []);
      expect([row?.n, waits]).toEqual([before + 1, 3]);
      await unit.commitWith(ADD, ['kept', new Date()]);
      expect([await notes(), database.connections.busy]).toEqual([['kept'], 0]);
    });

    it('hold the lock until the transaction is committed, is rolled back or fails', async () => {
      const isFree = async () => {
        const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [LOCK]);
        return rows[0]?.free;
      };
      const failIfHeld = { lock: LOCK, whenHeldByAnother: () => Promise.reject(new Error('it is taken')) };
      for (const end of ['commit', 'rollback'] as const) {
        const unit = database.unit(failIfHeld);
        await unit.change(DRAW, []);
        expect(await isFree()).toBe(false);
        await expect(database.unit(failIfHeld).change(DRAW, [])).rejects.toThrow('it is taken');
        if (end === 'commit') await unit.commitWith(ADD, ['kept', new Date()]);
        else await unit.rollback();
        expect(await isFree()).toBe(true);
      }
      // A failed statement releases the lock, and the unit can begin again.
      const unit = database.unit(failIfHeld);
      await expect(unit.change(FAIL, [0])).rejects.toMatchObject({ code: '22012' });
      expect([unit.current, await isFree()]).toEqual([null, true]);
      await unit.change(DRAW, []);
      await unit.commitWith(ADD, ['again', new Date()]);
      expect([await notes(), database.connections.busy]).toEqual([['again', 'kept'], 0]);
    });
  });
});

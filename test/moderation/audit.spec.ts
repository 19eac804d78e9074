import { AuditLog } from '#platform/audit/audit-log';
import { asOperator } from '#platform/audit/operator';
import { runDetached } from '#platform/database/one-connection';
import { TestServer } from '#testing/test-server';

describe('the audit log', () => {
  let server: TestServer;
  let log: AuditLog;
  beforeAll(async () => {
    server = await TestServer.start();
    log = server.app.get(AuditLog);
    await server.sql('CREATE TABLE head_at_start AS SELECT * FROM audit_head');
  });
  // The log accepts no deletion of entries, so its protection is removed and restored here.
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const sql of [
      'GRANT ALL ON audit_entries TO current_user',
      'ALTER TABLE audit_entries DISABLE TRIGGER USER',
      'DROP TABLE IF EXISTS kept_aside',
      'DELETE FROM audit_entries',
      'DELETE FROM audit_head',
      'INSERT INTO audit_head SELECT * FROM head_at_start',
      'ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay',
      'ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay_all',
      'REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM current_user',
    ])
      await server.sql(sql);
  });
  afterAll(() => server.stop());

  const record = (reason: string): Promise<void> =>
    server.database.transaction((tx) =>
      log.record(tx, {
        actorId: null,
        action: 'content remove',
        subject: 'event abc',
        reason,
        details: { z: 1, a: { b: [1, null, 'ž'] } },
      }),
    );
  /**
   * Changes the log while its trigger is disabled, as a person with full access to the database could. Verifies the
   * log, restores it, and returns the result of the verification. `undo` is a statement that reverts changes of other
   * tables.
   */
  async function tamper(sql: string, undo: string): Promise<{ intact: boolean; firstBroken: number | null }> {
    await server.sql('CREATE TABLE IF NOT EXISTS kept_aside AS SELECT * FROM audit_entries');
    await server.sql('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await server.sql('GRANT ALL ON audit_entries TO current_user');
    await server.sql(sql);
    const { intact, firstBroken } = await log.verify();
    await server.sql(undo);
    await server.sql('DELETE FROM audit_entries');
    await server.sql('INSERT INTO audit_entries SELECT * FROM kept_aside ORDER BY number');
    await server.sql('ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay');
    expect((await log.verify()).intact).toBe(true);
    await server.sql('DROP TABLE kept_aside');
    return { intact, firstBroken };
  }

  // MOD-20
  it('numbers its entries without a gap, even when entries are recorded in parallel or a transaction is rolled back', async () => {
    expect(await log.verify()).toEqual({ intact: true, entries: 0, firstBroken: null });
    await Promise.all(Array.from({ length: 8 }, (_, i) => record(`důvod ${i}`)));
    expect((await log.entries(null, 3)).map(({ number }) => Number(number))).toEqual([8, 7, 6]);
    expect((await log.entries(3, 10)).map(({ number }) => Number(number))).toEqual([2, 1]);
    expect(await log.verify()).toEqual({ intact: true, entries: 8, firstBroken: null });
    await expect(
      server.database.transaction(async (tx) => {
        await log.record(tx, { actorId: 1, action: 'never' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await log.verify()).toEqual({ intact: true, entries: 8, firstBroken: null });
  });

  // MOD-21
  it('refuses every statement that changes or deletes entries', async () => {
    await record('stays');
    for (const sql of [
      'UPDATE audit_entries SET reason = NULL',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
      `SET session_replication_role = replica; DELETE FROM audit_entries`,
    ]) {
      await expect(server.sql(sql)).rejects.toThrow(/append-only|permission denied/);
      await server.sql('SET session_replication_role = DEFAULT');
      expect(await log.verify()).toEqual({ intact: true, entries: 1, firstBroken: null });
    }
  });

  // MOD-22
  it('is reported as not intact, with the number of the first entry that was changed, inserted or deleted, even if this is the last entry', async () => {
    for (let i = 0; i < 4; i++) await record(`důvod ${i}`);
    const [{ n }] = (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_entries')) as [
      { n: number },
    ];
    const columns = {
      at: `at + interval '1 second'`,
      actor_id: 'coalesce(actor_id, 0) + 1',
      action: `action || 'x'`,
      subject: `'jiný'`,
      reason: `reason || 'x'`,
      operator: `coalesce(operator, '') || 'x'`,
      details: `'{}'`,
      hash: 'reverse(hash)',
    };
    for (const [column, value] of Object.entries(columns)) {
      for (const number of [1, 3, n]) {
        expect({
          column,
          number,
          ...(await tamper(`UPDATE audit_entries SET ${column} = ${value} WHERE number = ${number}`, 'SELECT 1')),
        }).toEqual({ column, number, intact: false, firstBroken: number });
      }
    }
    for (const number of [1, 2])
      expect(await tamper(`DELETE FROM audit_entries WHERE number = ${number}`, 'SELECT 1')).toEqual({
        intact: false,
        firstBroken: number,
      });
    expect(await tamper(`DELETE FROM audit_entries WHERE number = ${n}`, 'SELECT 1')).toEqual({
      intact: false,
      firstBroken: n,
    });
    expect(await tamper('DELETE FROM audit_entries', 'SELECT 1')).toEqual({ intact: false, firstBroken: 1 });
    expect(
      await tamper(
        `INSERT INTO audit_entries SELECT number + 1, at, actor_id, action, subject, reason, details, hash FROM audit_entries WHERE number = ${n}`,
        'SELECT 1',
      ),
    ).toEqual({ intact: false, firstBroken: n + 1 });
    // The last entry is deleted, and the number of entries and the last hash in audit_head are changed accordingly. The
    // row of audit_head has its own hash, which is then wrong.
    await server.sql('CREATE TABLE head_aside AS SELECT * FROM audit_head');
    const shorter = `UPDATE audit_head SET entries = ${n - 1}, last_hash = (SELECT hash FROM audit_entries WHERE number = ${n - 1})`;
    await server.sql(shorter);
    expect(
      await tamper(
        `DELETE FROM audit_entries WHERE number = ${n}`,
        'UPDATE audit_head h SET entries = a.entries, last_hash = a.last_hash, hash = a.hash FROM head_aside a',
      ),
    ).toEqual({ intact: false, firstBroken: n });
  });

  // MOD-22, OPS-96
  it('has one chain of hashes for entries with and without an operator', async () => {
    await record('by a job');
    await asOperator('eva', () => record('by a command'));
    expect((await log.entries(null, 2)).map(({ operator }) => operator)).toEqual(['eva', null]);
    expect(await log.verify()).toEqual({ intact: true, entries: 2, firstBroken: null });
    for (const operator of [`'jana'`, 'NULL'])
      expect(await tamper(`UPDATE audit_entries SET operator = ${operator} WHERE number = 2`, 'SELECT 1')).toEqual({
        intact: false,
        firstBroken: 2,
      });
  });

  // MOD-22
  it('is intact if an entry is added after the verification has read the number of entries', async () => {
    await record('one');
    const prototype = AuditLog.prototype as unknown as { keyOf(head: object): Promise<string | null> };
    const keyOf = prototype.keyOf.bind(log);
    jest.spyOn(prototype, 'keyOf').mockImplementationOnce(async (head) => {
      await runDetached(() => record('two'));
      return keyOf(head);
    });
    expect(await log.verify()).toEqual({ intact: true, entries: 1, firstBroken: null });
    expect((await log.verify()).entries).toBe(2);
  });

  // MOD-22
  it('can be verified while a transaction adds an entry', async () => {
    await record('one');
    await server.sql('BEGIN');
    await server.sql('SELECT 1 FROM audit_head FOR UPDATE');
    expect(await log.verify()).toEqual({ intact: true, entries: 1, firstBroken: null });
    await server.sql('COMMIT');
  });

  // MOD-22
  it('is reported as not intact if audit_head has no row', async () => {
    await record('one');
    await server.sql('CREATE TABLE lost AS SELECT * FROM audit_head');
    await server.sql('DELETE FROM audit_head');
    expect((await log.verify()).intact).toBe(false);
    await server.sql('INSERT INTO audit_head SELECT * FROM lost');
    expect((await log.verify()).intact).toBe(true);
  });
});

import type { TestServer } from './test-server';

/**
 * A written row, before (`was`) and after (`is`) the write: `was` is null for a new row, `is` is null for a deleted
 * row.
 */
export interface TouchedRow {
  readonly table: string;
  readonly was: Columns | null;
  readonly is: Columns | null;
}
export type Columns = Readonly<Record<string, unknown>>;

/**
 * Patterns of the tables whose data never appears in the lists and objects that the followers (follower.ts) read. After
 * a write to any other table, the tests repeat all requests whose responses may depend on that table. If a table that
 * each request writes is missing here, the tests take many times as long.
 */
const NOT_SHOWN = [
  '^changes',
  '^change_feed$',
  '^unnumbered_changes$',
  '^request_log',
  '^people_words$',
  '^event_days$',
  '^event_reminders$',
  '^change_holds$',
  '^hidden_from_changes$',
  '^live_',
  '^group_cells$',
  '^tokens$',
  '^token_forms$',
  '^kept_answers$',
  '^request_claims$',
  '^daily_counters$',
  '^comment_rates$',
  '^media_files$',
  '^audit_',
  '^job_runs$',
  '^account_',
  '^mail_choices$',
  '^door_',
  '^wrong_passwords$',
  '^calendar_addresses$',
];

/**
 * Records written rows independently of the service's feed of changes: `watch` adds its own trigger to every table that
 * is not in `NOT_SHOWN`. Rows of a transaction that is rolled back are not recorded.
 */
export class TouchedRows {
  private constructor(private readonly server: TestServer) {}

  static async watch(server: TestServer): Promise<TouchedRows> {
    await server.sql('CREATE SCHEMA test_log');
    await server.sql(
      'CREATE UNLOGGED TABLE test_log.touched_rows (id bigint GENERATED ALWAYS AS IDENTITY, "table" text NOT NULL, was jsonb, "is" jsonb)',
    );
    await server.sql(
      `CREATE FUNCTION test_log.record_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO test_log.touched_rows ("table", was, "is") VALUES (TG_TABLE_NAME, to_jsonb(OLD), to_jsonb(NEW));
         RETURN NULL;
       END $$`,
    );
    const tables = await server.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname !~ $1`,
      [NOT_SHOWN.join('|')],
    );
    for (const { name } of tables)
      await server.sql(
        `CREATE TRIGGER is_recorded_by_test AFTER INSERT OR UPDATE OR DELETE ON "${name}" FOR EACH ROW EXECUTE FUNCTION test_log.record_row()`,
      );
    return new TouchedRows(server);
  }

  /** The rows that were committed since the last call, in the order of writing. */
  async take(): Promise<TouchedRow[]> {
    return this.server.sql<TouchedRow & object>(
      'WITH taken AS (DELETE FROM test_log.touched_rows RETURNING *) SELECT "table", was, "is" FROM taken ORDER BY id',
    );
  }
}

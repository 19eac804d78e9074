import { SELECT_PARTICIPANTS } from '#areas/participation/organizing/participants.query';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** A node of a PostgreSQL query plan, with only the fields that this test uses. */
interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

const EVENTS = 5_000;
const OTHER_PEOPLE = 3_000;

/** In the data of these tests, most people participate in four events, and petr participates in all events. */
describe('statements about participations', () => {
  let server: TestServer;
  let petr: Person;
  let id: string;
  beforeAll(async () => {
    server = await TestServer.start();
    petr = await server.person('petr');
    const jana = await server.person('jana');
    ({ id } = await buildEvent(server, jana));
    await server.sql('ALTER TABLE all_events DISABLE TRIGGER USER');
    await server.sql(
      `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled,
                           created_at, updated_at)
       SELECT $1, 'Akce ' || n, 'other', now() + n * interval '1 minute', true, 'open', false, false, now(), now()
         FROM generate_series(1, $2::integer) n`,
      [jana.userId, EVENTS],
    );
    await server.sql('ALTER TABLE all_events ENABLE TRIGGER USER');
    await server.sql(
      `INSERT INTO users (slug, name, created_at, updated_at)
       SELECT 'nekdo-' || n, 'Někdo', now(), now() FROM generate_series(1, $1::integer) n`,
      [OTHER_PEOPLE],
    );
    const insertParticipationsOf = (
      condition: string,
    ): string => `INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
       SELECT e.id, u.id, 'confirmed', now(), now() FROM (SELECT id, row_number() OVER () AS n FROM events) e
         JOIN (SELECT id FROM users WHERE ${condition}) u`;
    await server.sql(`${insertParticipationsOf(`slug LIKE 'nekdo-%'`)} ON (e.n + u.id) % ${EVENTS / 4} = 0`);
    await server.sql(`${insertParticipationsOf(`id = ${petr.userId}`)} ON true`);
    await server.sql('VACUUM ANALYZE participations');
    await server.sql('VACUUM ANALYZE all_events');
  }, 120_000);
  afterAll(() => server.stop());

  /** Returns the generic plan of the statement `name`, which the service runs for a GET request to `path`. */
  async function planOfStatement(path: string, name: string): Promise<string> {
    const rows = jest.spyOn(server.database, 'rows');
    try {
      expect((await petr.api.get(path)).status).toBe(200);
      const [sql, parameters = []] = rows.mock.calls.find(([statement]) => statement.name === name) ?? [];
      if (!sql) throw new Error(`${path} does not run ${name}`);
      return await server.database.transaction(async (tx) => {
        await tx.manager.query(`PREPARE asked AS ${sql.text}`);
        const values = parameters.map((value) => `'${value instanceof Date ? value.toISOString() : String(value)}'`);
        const lines = await tx.manager.query<{ 'QUERY PLAN': string }[]>(
          `EXPLAIN (COSTS OFF) EXECUTE asked(${values.join(', ')})`,
        );
        await tx.manager.query('DEALLOCATE asked');
        return lines.map((line) => line['QUERY PLAN']).join('\n');
      });
    } finally {
      rows.mockRestore();
    }
  }

  it('read a person’s relation to an event by the primary key, without reading all events of the person', async () => {
    const plan = await planOfStatement(`/events/${id}/comments`, 'events_relation');
    expect(plan).toContain('Index Only Scan using participations_pkey');
    expect(plan).not.toContain('participations_user');
  });

  it.each(['participation_related_upcoming', 'participation_related_total_upcoming'])(
    'use the index of a person’s participations: %s',
    async (name) => {
      const plan = await planOfStatement('/events?relation=joined&scope=upcoming', name);
      expect(plan).toContain('participations_user');
      expect(plan).not.toContain('Seq Scan on participations');
    },
  );

  it('read from the table `users` only the people on one page of the list of participants', async () => {
    const perPage = 20;
    const nodes = await server.database.transaction(async (tx) => {
      const [{ id: lastEventId }] = (await tx.manager.query<{ id: string }[]>('SELECT max(id) AS id FROM events')) as [
        { id: string },
      ];
      await tx.manager.query(
        `INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
         SELECT $1, id, 'confirmed', now(), now() FROM users WHERE slug LIKE 'nekdo-%' ON CONFLICT DO NOTHING`,
        [lastEventId],
      );
      await tx.manager.query(`PREPARE asked AS ${SELECT_PARTICIPANTS.text}`);
      const [row] = await tx.manager.query<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked(${lastEventId}, NULL, ${perPage}, 180)`,
      );
      await tx.manager.query('DEALLOCATE asked');
      return nodesOf(row?.['QUERY PLAN'][0].Plan as Node);
    });
    const rowsOf = (table: string) =>
      nodes
        .filter((node) => node['Relation Name'] === table)
        .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
    expect(rowsOf('participations')).toBeGreaterThanOrEqual(OTHER_PEOPLE);
    expect(rowsOf('users')).toBe(perPage);
  });

  it('evaluate only short trigger conditions when a person takes a seat', async () => {
    const rows = await server.sql<{ trigger: string; characters: number }>(
      `SELECT t.tgname AS trigger, length(t.tgqual)::int AS characters
         FROM pg_trigger t
         JOIN (VALUES ('all_events'::regclass, 'confirmed_count'), ('live_events'::regclass, 'participants'))
              counted (relation, written) ON counted.relation = t.tgrelid
         JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attname = counted.written
        WHERE NOT t.tgisinternal AND t.tgtype & 16 <> 0 AND t.tgqual IS NOT NULL
          AND (cardinality(t.tgattr::int2[]) = 0 OR a.attnum = ANY (t.tgattr))`,
    );
    expect(rows.map(({ trigger }) => trigger).sort()).toEqual([
      'changes_are_recorded_updated',
      'events_count_live',
      'events_revision',
      'events_version',
    ]);
    // The conditions compare only `confirmed_count` and `version`, and read `is_public` and `status`.
    expect(rows.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThan(2_500);
  });

  it('run triggers whose UPDATE OF list, if there is one, contains every column that the condition compares (IS DISTINCT FROM)', async () => {
    const rows = await server.sql<{ trigger: string; missing_column: string }>(
      `SELECT t.tgrelid::regclass || ' ' || t.tgname AS trigger, a.attname AS missing_column
         FROM pg_trigger t
         JOIN pg_depend d ON d.classid = 'pg_trigger'::regclass AND d.objid = t.oid
              AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.tgrelid AND d.refobjsubid > 0
         JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = d.refobjsubid
        WHERE cardinality(t.tgattr::int2[]) > 0 AND a.attnum <> ALL (t.tgattr)
          AND pg_get_triggerdef(t.oid) LIKE '%IS DISTINCT FROM%'`,
    );
    expect(rows).toEqual([]);
  });
});

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ITSELF, type ErasureEffect } from '#areas/own-data/map/column';
import { TABLES_WITHOUT_PERSONAL_DATA, PERSONAL_DATA } from '#areas/own-data/personal-data.map';
import { tableOf } from '#testing/partitions';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';

/** The columns of the schema by table. */
async function schemaOf(client: Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
  );
  const schema = new Map<string, Set<string>>();
  for (const { table, column } of rows)
    schema.set(tableOf(table), (schema.get(tableOf(table)) ?? new Set<string>()).add(column));
  return schema;
}

// DATA-1
describe('the map of personal data', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('classifies exactly the columns of the schema', async () => {
    const schema = await schemaOf(client);
    const mapped = new Map(
      Object.entries(PERSONAL_DATA).map(([table, { columns, notPersonal }]) => [
        table,
        [...Object.keys(columns), ...notPersonal],
      ]),
    );
    const differences = [
      ...new Set([...schema.keys(), ...mapped.keys(), ...Object.keys(TABLES_WITHOUT_PERSONAL_DATA)]),
    ].flatMap((table) => {
      if (table in TABLES_WITHOUT_PERSONAL_DATA && !mapped.has(table))
        return schema.has(table) ? [] : [`${table} does not exist`];
      const [existing, listed] = [schema.get(table) ?? new Set<string>(), mapped.get(table) ?? []];
      return [
        ...[...existing]
          .filter((column) => !listed.includes(column))
          .map((column) => `${table}.${column} is missing in the map`),
        ...listed
          .filter((column, at) => !existing.has(column) || listed.indexOf(column) !== at)
          .map((column) => `${table}.${column} does not exist, or is listed twice`),
      ];
    });
    expect(differences).toEqual([]);
  });

  it('contains every column that refers to people', async () => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `SELECT k.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint k
         JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        WHERE k.contype = 'f' AND k.confrelid = 'users'::regclass`,
    );
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ table, column }) => !PERSONAL_DATA[table]?.columns[column])).toEqual([]);
  });

  it('agrees with docs/personal-data.md on the export and the erasure of each column', () => {
    const effectTexts: Record<ErasureEffect, string> = {
      goes: 'deleted',
      emptied: 'emptied',
      pseudonymised: 'points to a pseudonym',
      passes: 'passes to another person',
      stays: 'kept',
    };
    const page = readFileSync(join(__dirname, '../../docs/personal-data.md'), 'utf8');
    const documented = page.split('\n## ').flatMap((section) => {
      const table = /^\w+(?=\n)/.exec(section)?.[0];
      return [...section.matchAll(/^\| `(\w+)` \| (.*?) \| ([a-z ]+?)(?: \(.*\))? \|$/gm)].map(
        ([, column, shown, effect]) =>
          `${table}.${column} ${shown!.startsWith('no: ') ? 'withheld' : 'exported'}, ${effect}`,
      );
    });
    const mapped = Object.entries(PERSONAL_DATA).flatMap(([table, { columns }]) =>
      Object.entries(columns).map(
        ([column, { exportForm, erasureEffect }]) =>
          `${table}.${column} ${exportForm === null ? 'withheld' : 'exported'}, ${effectTexts[erasureEffect]}`,
      ),
    );
    expect(mapped.length).toBeGreaterThan(300);
    expect(mapped).toEqual(documented);
  });

  // DATA-2, DATA-3
  it('selects the rows of the export by the column that identifies the person, or by the condition listed for the table', () => {
    const ownEvents = 'event_id = ANY (ARRAY(SELECT e.id FROM all_events e WHERE e.organizer_id = $1))';
    const listedConditions: Record<string, string> = {
      users: 'id = $1',
      webhook_deliveries: 'webhook_id IN (SELECT id FROM webhooks WHERE user_id = $1)',
      event_images: ownEvents,
      itineraries: ownEvents,
      all_event_messages: ownEvents,
      tickets: ownEvents,
      door_links: ownEvents,
      expenses: `(paid_by = $1 OR ${ownEvents})`,
      expense_payments: '$1 IN (sender_id, receiver_id, entered_by)',
    };
    const selected = Object.entries(PERSONAL_DATA).filter(([, { mine }]) => mine !== undefined);
    expect(selected.length).toBeGreaterThan(40);
    for (const [table, { mine, columns }] of selected) {
      const own = Object.entries(columns).filter(([, { withheld }]) => withheld === ITSELF);
      expect([table, mine]).toEqual([table, listedConditions[table] ?? `${own[0]?.[0]} = $1`]);
    }
  });
});

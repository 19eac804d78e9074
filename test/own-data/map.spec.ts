import { Client } from 'pg';
import { TABLES_WITHOUT_PERSONAL_DATA, PERSONAL_DATA, tableOf } from '#areas/own-data/personal-data.map';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';

/** The columns of the schema by table. */
async function schemaOf(client: Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name) WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
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
      `SELECT k.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        WHERE k.contype = 'f' AND k.confrelid = 'users'::regclass`,
    );
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ table, column }) => !PERSONAL_DATA[table]?.columns[column])).toEqual([]);
  });
});

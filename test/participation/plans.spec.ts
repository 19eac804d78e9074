import { Client } from 'pg';
import type { Statement } from '#platform/database/database';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const EVENTS = 5_000;
const OTHERS = 3_000;

/** Plans where most people are in four events and one is in all. */
describe('plans of participations', () => {
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
      `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT $1, 'Akce ' || n, 'other', now() + n * interval '1 minute', true, 'open', false, false, now(), now() FROM generate_series(1, $2::integer) n`,
      [jana.userId, EVENTS],
    );
    await server.sql('ALTER TABLE all_events ENABLE TRIGGER USER');
    await server.sql(`INSERT INTO users (slug, name, created_at, updated_at) SELECT 'nekdo-' || n, 'Někdo', now(), now() FROM generate_series(1, $1::integer) n`, [OTHERS]);
    const among = (people: string): string => `INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
       SELECT e.id, u.id, 'confirmed', now(), now() FROM (SELECT id, row_number() OVER () AS n FROM events) e JOIN (SELECT id FROM users WHERE ${people}) u`;
    await server.sql(`${among(`slug LIKE 'nekdo-%'`)} ON (e.n + u.id) % ${EVENTS / 4} = 0`);
    await server.sql(`${among(`id = ${petr.userId}`)} ON true`);
    await server.sql('VACUUM ANALYZE participations');
    await server.sql('VACUUM ANALYZE all_events');
  }, 120_000);
  afterAll(() => server.stop());

  /** The plan that a connection keeps of a statement which the service runs for that request. */
  async function planBehind(path: string, name: string): Promise<string> {
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      expect((await petr.api.get(path)).status).toBe(200);
      const asked = query.mock.calls.map(([config]) => config as unknown as Statement & { values: unknown[] }).find((config) => config.name === name);
      if (!asked) throw new Error(`${path} does not run ${name}`);
      return await server.database.transaction(async (tx) => {
        await tx.manager.query(`PREPARE asked AS ${asked.text}`);
        const values = asked.values.map((value) => `'${value instanceof Date ? value.toISOString() : String(value)}'`);
        const lines = await tx.manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN (COSTS OFF) EXECUTE asked(${values.join(', ')})`);
        await tx.manager.query('DEALLOCATE asked');
        return lines.map((line) => line['QUERY PLAN']).join('\n');
      });
    } finally {
      query.mockRestore();
    }
  }

  it('what somebody is to an event is asked by both, not by all they are in', async () => {
    const plan = await planBehind(`/discover/events/${id}`, 'events_relation');
    expect(plan).toContain('Index Only Scan using participations_pkey');
    expect(plan).not.toContain('participations_user');
  });

  it.each(['participation_related_upcoming', 'participation_related_total_upcoming'])('%s: by the index of their participations', async (name) => {
    const plan = await planBehind('/events?relation=joined&scope=upcoming', name);
    expect(plan).toContain('participations_user');
    expect(plan).not.toContain('Seq Scan on participations');
  });
});

import { OCCURRENCES, OCCURRENCES_TOTAL } from '#areas/events/occurrences/occurrences.query';
import { ANY_SERIES_DUE, COUNT_LIVE_SERIES, SERIES_OF_ORGANIZER } from '#areas/series/series.query';
import type { Statement } from '#platform/database/database';
import { sealedTexts } from '#platform/installation/sealed-texts';
import type { Person } from '#testing/people';
import { planOf } from '#testing/plans';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';

/** The queries for series use an index even if there are many series and occurrences. */
describe('query plans with 400 series of 50 occurrences', () => {
  let server: TestServer;
  let jana: Person;
  let seriesId: number;
  beforeAll(async () => {
    server = await TestServer.start();
    const petr = await server.person('petr');
    jana = await server.person('jana');
    await buildSeries(server, petr);
    await server.sql(`
      INSERT INTO series (organizer_id, starts_at, frequency, interval, template, generated, next_start,
                          created_at, updated_at)
      SELECT organizer_id, starts_at, 'weekly', 1, template, 50, starts_at + interval '1 year', now(), now()
        FROM series, generate_series(1, 400)`);
    await server.sql(`
      INSERT INTO events (organizer_id, series_id, series_index, title, type, starts_at, is_public, join_mode,
                          seeking_company, photos_enabled, created_at, updated_at)
      SELECT organizer_id, id, i, 'x', 'other', now() + (i - 25) * interval '1 week', false, 'open',
             false, false, now(), now()
        FROM series, generate_series(0, 49) i WHERE generated = 50`);
    ({ seriesId } = await buildSeries(server, jana, { frequency: 'daily' }));
    await server.sql('ANALYZE all_series');
    await server.sql('ANALYZE all_events');
  });
  afterAll(() => server.stop());

  const now = new Date();
  it.each([
    ['own series', SERIES_OF_ORGANIZER, () => [jana.userId, now, 20, 0], ['series_organizer', 'events_series_start']],
    ['live series', COUNT_LIVE_SERIES, () => [jana.userId, now], ['series_organizer']],
    ['due series', ANY_SERIES_DUE, () => [now], ['series_due']],
    ['occurrences', OCCURRENCES.any, () => [seriesId, now, 20, 0], ['events_series_start']],
    ['upcoming occurrences', OCCURRENCES.upcoming, () => [seriesId, now, 20, 0], ['events_series_start']],
    ['number of occurrences', OCCURRENCES_TOTAL.upcoming, () => [seriesId, now], ['events_series_start']],
  ])('use an index and no sequential scan: %s', async (_what, query, values, indexes) => {
    const plan = (await planOf(server, query, values())).join('\n');
    for (const index of indexes) expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });

  // OPS-19
  it('use the index events_sealed to find the encrypted passwords of events', async () => {
    const sent: [Statement, readonly unknown[]][] = [];
    const recorder = { rows: async (...query: [Statement, readonly unknown[]]) => (sent.push(query), []) };
    const column = { table: 'all_events', column: 'join_password_sealed', json: false };
    await sealedTexts(recorder, column, 1_000);
    const plans = await Promise.all(sent.map(([sql, values]) => planOf(server, sql, values)));
    expect(plans.map((plan) => plan.join('\n'))).toEqual([expect.stringContaining('events_sealed')]);
  });
});

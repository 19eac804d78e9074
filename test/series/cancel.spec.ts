import { inDays } from '#testing/times';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { Signals } from '#platform/signals/signals';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { EventsCancelled } from '#areas/events/event.signal';

/** SER-18, SER-19 */
describe('POST /series/{id}/cancel', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  // SER-18, SER-19
  it('cancels upcoming occurrences and ends the series; a second cancellation is refused with 409', async () => {
    const { id } = await buildSeries(server, jana, { startsAt: inDays(-7.1) });
    const [past, started, ...upcoming] = await occurrencesOf(jana, id);
    const { status, body } = await jana.api.post(`/series/${id}/cancel`);
    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: { cancelled_events: upcoming.length } });
    expect(body.data).toMatchObject({
      id,
      active: false,
      cancelled_at: expect.stringMatching(/Z$/),
      next_occurrence_at: null,
    });
    expect((await jana.api.get(`/series/${id}`)).body.data).toEqual(body.data);
    const statuses = (await occurrencesOf(jana, id)).map((event) => [event.id, event.status]);
    expect(statuses).toEqual([
      ...[past, started].map((one) => [one?.id, 'active']),
      ...upcoming.map((one) => [one.id, 'cancelled']),
    ]);
    const again = await jana.api.post(`/series/${id}/cancel`);
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'conflict' });
  });

  // SER-18
  it('raises a single signal (EventsCancelled) for all occurrences that it cancels', async () => {
    const { id, seriesId } = await buildSeries(server, jana, { occurrencesLimit: 4 });
    const [first, second] = await occurrencesOf(jana, id);
    await confirm(server, second?.id ?? '', await server.person('petr'));
    await jana.api.patch(`/events/${first?.id}`, { status: 'cancelled' });
    const raised = jest.spyOn(server.app.get(Signals), 'raise');
    expect((await jana.api.post(`/series/${id}/cancel`)).body.meta).toEqual({ cancelled_events: 3 });
    const signals = raised.mock.calls.map(([, signal]) => signal);
    raised.mockRestore();
    expect(signals).toHaveLength(1);
    expect(signals[0]).toBeInstanceOf(EventsCancelled);
    const rows = await server.sql<{ id: string }>('SELECT id FROM events WHERE series_id = $1 AND series_index > 0', [
      seriesId,
    ]);
    expect([...(signals[0] as EventsCancelled).eventIds].sort()).toEqual(rows.map((row) => Number(row.id)).sort());
  });

  // SER-18, JOIN-46
  it('refunds a hundred people who each paid for a hundred occurrences, and sends each of them one notification', async () => {
    const DAYS = 100;
    const PAID = 5;
    const GRANTED = 1000;
    const { id, seriesId } = await buildSeries(server, jana, { frequency: 'daily', occurrencesLimit: DAYS });
    server.clock.forward(DAYS * 86_400_000);
    await server.job('series-extend');
    server.clock.reset();
    const crowd = await payingCrowd(seriesId, PAID, GRANTED);
    expect(crowd).toHaveLength(100);

    const { status, body } = await jana.api.post(`/series/${id}/cancel`);

    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: { cancelled_events: DAYS } });
    const accounts = await server.sql('SELECT balance::int, held::int FROM credit_accounts WHERE user_id = ANY($1)', [
      crowd,
    ]);
    expect(accounts).toEqual(crowd.map(() => ({ balance: GRANTED, held: 0 })));
    const refunds = await server.sql(
      `SELECT count(*)::int AS entries, count(DISTINCT hold_id)::int AS holds,
              min(amount)::int AS least, max(amount)::int AS most
         FROM credit_entries WHERE kind = 'refund' AND account = 'balance' AND user_id = ANY($1)`,
      [crowd],
    );
    expect(refunds).toEqual([{ entries: 100 * DAYS, holds: 100 * DAYS, least: PAID, most: PAID }]);
    const notices = await server.sql(
      `SELECT kind, count(*)::int AS notices, count(DISTINCT user_id)::int AS people FROM notifications
        WHERE user_id = ANY($1) GROUP BY kind`,
      [crowd],
    );
    expect(notices).toEqual([{ kind: 'series_cancelled', notices: 100, people: 100 }]);
  });

  /** Creates a hundred people who have joined every occurrence and paid for it. Returns the ids of these people. */
  async function payingCrowd(seriesId: number, paid: number, granted: number): Promise<number[]> {
    const people = await server.sql<{ id: number }>(`
      INSERT INTO users (slug, name, locale, timezone, searchable, verified, admin, moderator, banned,
                         created_at, updated_at)
      SELECT 'crowd-' || n, 'Dav', 'cs', 'Europe/Prague', true, false, false, false, false, now(), now()
        FROM generate_series(1, 100) n
      RETURNING id::int`);
    const ids = people.map(({ id }) => id);
    await server.database.transaction(async (tx) => {
      for (const id of ids) await server.app.get(CreditsCommands).grant(tx, id, granted);
    });
    await server.sql(
      `WITH hold AS (
         INSERT INTO credit_holds (event_id, user_id, amount, created_at)
         SELECT e.id, u.id, $3::bigint, now() FROM events e CROSS JOIN unnest($2::bigint[]) AS u (id)
          WHERE e.series_id = $1 RETURNING *
       ), moved AS (
         UPDATE credit_accounts a SET balance = balance - h.amount, held = held + h.amount
           FROM (SELECT user_id, sum(amount) AS amount FROM hold GROUP BY user_id) h WHERE a.user_id = h.user_id
       ), entries AS (
         INSERT INTO credit_entries (transfer, kind, account, user_id, amount, hold_id, created_at)
         SELECT h.id, 'hold', side.account, h.user_id, side.sign * h.amount, h.id, now()
           FROM hold h, (VALUES ('balance', -1), ('held', 1)) AS side (account, sign)
       )
       INSERT INTO participations (event_id, user_id, status, joined_at, credit_hold_id, created_at, updated_at)
       SELECT event_id, user_id, 'confirmed', now(), id, now(), now() FROM hold`,
      [seriesId, ids, paid],
    );
    await server.sql('UPDATE events SET confirmed_count = 100, ticket_price_credits = $2 WHERE series_id = $1', [
      seriesId,
      paid,
    ]);
    return ids;
  }

  // SER-10, SER-13, SER-14, SER-18
  it('does not affect an occurrence that starts at the time of the request, because this occurrence has started', async () => {
    const startsAt = new Date(Math.ceil(server.clock.now().getTime() / 1000) * 1000 + 86_400_000);
    const { id } = await buildSeries(server, jana, { startsAt, occurrencesLimit: 2 });
    const [first, second] = await occurrencesOf(jana, id);
    server.clock.freezeAt(startsAt);
    expect((await occurrencesOf(jana, id, 'upcoming')).map((event) => event.id)).toEqual([second?.id]);
    expect((await jana.api.get(`/series/${id}`)).body.data.next_occurrence_at).toBe(second?.starts_at);
    expect((await jana.api.patch(`/series/${id}`, { title: 'Jinak' })).body.meta).toEqual({ updated_events: 1 });
    expect((await jana.api.post(`/series/${id}/cancel`)).body.meta).toEqual({ cancelled_events: 1 });
    expect((await jana.api.get(`/events/${first?.id}`)).body.data).toMatchObject({
      title: first?.title,
      status: 'active',
    });
  });

  // SER-18
  it('ends an active series even if it has no upcoming occurrences', async () => {
    const { id } = await buildSeries(server, jana);
    for (const event of await occurrencesOf(jana, id)) await jana.api.delete(`/events/${event.id}`);
    expect((await jana.api.post(`/series/${id}/cancel`)).body).toMatchObject({
      data: { active: false },
      meta: { cancelled_events: 0 },
    });
  });

  // SER-19
  it('cancels an inactive series with upcoming occurrences, and answers 409 for an inactive series without them', async () => {
    const withUpcoming = await buildSeries(server, jana, { occurrencesLimit: 2 });
    expect((await jana.api.get(`/series/${withUpcoming.id}`)).body.data.active).toBe(false);
    expect((await jana.api.post(`/series/${withUpcoming.id}/cancel`)).body.meta).toEqual({ cancelled_events: 2 });
    const withoutUpcoming = await buildSeries(server, jana, { startsAt: inDays(-20), occurrencesLimit: 2 });
    expect((await jana.api.post(`/series/${withoutUpcoming.id}/cancel`)).status).toBe(409);
    expect((await jana.api.get(`/series/${withoutUpcoming.id}`)).body.data.cancelled_at).toBeNull();
  });

  it('stops the generation of occurrences', async () => {
    const { id } = await buildSeries(server, jana);
    await jana.api.post(`/series/${id}/cancel`);
    const before = await occurrencesOf(jana, id);
    server.clock.forward(30 * 86_400_000);
    await server.job('series-extend');
    server.clock.reset();
    expect(await occurrencesOf(jana, id)).toEqual(before);
  });

  it('succeeds for only one of several parallel requests', async () => {
    const { id } = await buildSeries(server, jana);
    const answers = await Promise.all(Array.from({ length: 6 }, () => jana.api.post(`/series/${id}/cancel`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

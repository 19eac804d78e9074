import { CreditsCommands } from '#areas/credits/credits.commands';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { Participations } from '#areas/participation/record/participations';
import { statement, type Queryable } from '#platform/database/database';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { crowd, retryWhileBusy, tally } from '#testing/crowd';
import type { Answer } from '#testing/http-client';
import { ledgerFaults } from '#testing/ledger';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const RUNS = repetitions('race_runs');
const PEOPLE = repetitions('race_people');
const LEAVING_ROUNDS = repetitions('leaving_rounds');
const join = (who: Person, { id }: BuiltEvent, body?: Record<string, unknown>) =>
  retryWhileBusy(() => who.api.post(`/events/${id}/join`, body));
const sendFromAll = (people: readonly Person[], ask: (who: Person) => Promise<Answer>) => Promise.all(people.map(ask));

/**
 * JOIN-44: concurrent requests never exceed the capacity or a limit, and never use a ticket or credits twice. The
 * organizer takes one seat of each event, so an event with `max_participants: 51` has 50 seats for other people.
 */
describe('concurrent requests for seats', () => {
  let server: TestServer;
  let jana: Person;
  let people: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana } = await server.people('jana'));
    people = await crowd(server, PEOPLE);
  }, 300_000);
  afterEach(async () => expect(await ledgerFaults(server)).toEqual([]));
  afterAll(() => server.stop());

  const confirmedCountOf = async ({ eventId }: BuiltEvent, eventServer = server) =>
    (
      await eventServer.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM participations WHERE event_id = $1 AND status = 'confirmed'`,
        [eventId],
      )
    )[0]?.n;

  // JOIN-12, JOIN-44, LIM-5
  it(`give 50 seats to 50 of ${PEOPLE} people (runs: ${RUNS})`, async () => {
    for (let run = 0; run < RUNS; run++) {
      const event = await buildEvent(server, jana, { max_participants: 51 });
      expect(tally(await sendFromAll(people, (who) => join(who, event)))).toEqual({
        '200': 50,
        '409 event_full': PEOPLE - 50,
      });
      expect(await confirmedCountOf(event)).toBe(50);
    }
  }, 900_000);

  it('exceed the capacity of an event if a seat is taken without a check (control experiment)', async () => {
    const withoutCheck = await TestServer.start({}, (app) => {
      const take = statement(
        'races_take_seat_unchecked',
        `INSERT INTO participations (event_id, user_id, status, check_in_code, created_at, updated_at)
        VALUES ($1, $2, 'confirmed', 'x', now(), now()) RETURNING 1`,
      );
      const count = statement(
        'races_count_seat_unchecked',
        `UPDATE events SET confirmed_count = confirmed_count + 1 WHERE id = $1 RETURNING confirmed_count`,
      );
      app.get(Participations, { strict: false }).takeSeat = async (
        database: Queryable,
        eventId: number,
        userId: number,
      ) => {
        await database.rows(take, [eventId, userId]);
        const [row] = await database.rows<{ confirmed_count: number }>(count, [eventId]);
        return { participation: 'confirmed', confirmed_count: row?.confirmed_count ?? 0, check_in_code: 'x' };
      };
    });
    await withoutCheck.sql(
      'ALTER TABLE all_events DROP CONSTRAINT events_capacity, DROP CONSTRAINT events_capacity_with_offers',
    );
    const [organizer] = await crowd(withoutCheck, 1);
    const others = await crowd(withoutCheck, PEOPLE);
    // Whether the capacity is exceeded depends on timing, so the control experiment has up to ten attempts.
    let confirmedCount = 0;
    for (let run = 0; run < 10 && confirmedCount <= 50; run++) {
      const event = await buildEvent(withoutCheck, organizer!, { max_participants: 51 });
      await sendFromAll(others, (who) => join(who, event));
      confirmedCount = (await confirmedCountOf(event, withoutCheck)) ?? 0;
    }
    expect(confirmedCount).toBeGreaterThan(50);
    await withoutCheck.stop();
  }, 300_000);

  // JOIN-15, JOIN-44
  it(`let only one of ${PEOPLE} people join with the same ticket`, async () => {
    const event = await buildEvent(server, jana, { join_mode: 'tickets' });
    const [{ code }] = (await jana.api.post(`/events/${event.id}/tickets`, { count: 1 })).body.data;
    expect(tally(await sendFromAll(people, (who) => join(who, event, { ticket_code: code })))).toEqual({
      '200': 1,
      '422 invalid_ticket_code': PEOPLE - 1,
    });
  }, 300_000);

  // JOIN-12, JOIN-29, JOIN-44
  it.each(['waitlisted', 'pending', 'requested'] as const)(
    'give 10 seats to 10 of 50 people who are %s',
    async (state) => {
      const fifty = people.slice(0, 50);
      const event = await buildEvent(server, jana, {
        max_participants: 11,
        with: fifty.map((who) => [who, state] as const),
      });
      const joinOrPromote = (who: Person) =>
        state === 'pending'
          ? join(who, event)
          : retryWhileBusy(() => jana.api.post(`/events/${event.id}/participants/${who.slug}/promote`));
      expect(tally(await sendFromAll(fifty, joinOrPromote))).toEqual({ '200': 10, '409 event_full': 40 });
      expect(await confirmedCountOf(event)).toBe(10);
    },
  );

  it('create one participation when the same person joins 50 times at the same time', async () => {
    const [petr] = await crowd(server, 1, 'petr');
    const open = await buildEvent(server, jana);
    const invited = await buildEvent(server, jana, { with: [[petr!, 'pending']] });
    for (const event of [open, invited]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => join(petr!, event)));
      expect(tally(answers)).toEqual({ '200': 1, '409 already_participant': 49 });
    }
  });

  // JOIN-20, JOIN-35
  it(`either refund or release the credits of each of ${PEOPLE} people who leave and are checked in at the same time`, async () => {
    const [organizer] = await crowd(server, 1, 'organizer');
    const leavers = await crowd(server, PEOPLE);
    await server.database.transaction(async (tx) => {
      for (const who of leavers) await server.app.get(CreditsCommands).grant(tx, who.userId, 20);
    });
    for (let round = 0; round < LEAVING_ROUNDS; round++) {
      const events = await Promise.all(
        Array.from({ length: PEOPLE / 20 }, () =>
          buildEvent(server, organizer!, { editorial: { ticketPriceCredits: 10 } }),
        ),
      );
      const eventOf = (i: number) => events[i % events.length]!;
      await server.database.transaction(async (tx) => {
        for (const [i, who] of leavers.entries()) {
          await server.app.get(ParticipationCommands).setParticipation(tx, eventOf(i).eventId, who.userId, {
            status: 'confirmed',
            checkedInAt: null,
            paidCredits: 10,
          });
        }
      });
      const answers = await Promise.all(
        leavers.flatMap((who, i) => {
          const leave = () => retryWhileBusy(() => who.api.delete(`/events/${eventOf(i).id}/join`));
          const checkIn = () =>
            retryWhileBusy(() => organizer!.api.put(`/events/${eventOf(i).id}/participants/${who.slug}/check-in`));
          return i % 2 ? [leave(), checkIn()] : [checkIn(), leave()];
        }),
      );
      const counts = tally(answers);
      expect([counts['204'], (counts['200'] ?? 0) + (counts['409 not_participant'] ?? 0)]).toEqual([PEOPLE, PEOPLE]);
      const [sums] = await server.sql<{
        released: number;
        refunded: number;
        held: number;
      }>(
        `SELECT count(*) FILTER (WHERE status = 'released')::int AS released,
                count(*) FILTER (WHERE status = 'refunded')::int AS refunded,
                count(*) FILTER (WHERE status = 'held')::int AS held
           FROM credit_holds WHERE event_id = ANY($1::bigint[])`,
        [events.map(({ eventId }) => eventId)],
      );
      expect(sums).toMatchObject({
        released: counts['200'] ?? 0,
        refunded: counts['409 not_participant'] ?? 0,
        held: 0,
      });
    }
    const [total] = await server.sql<{ credits: number }>(
      'SELECT sum(balance + held)::int AS credits FROM credit_accounts',
    );
    expect(total?.credits).toBe(PEOPLE * 20);
  }, 120_000);

  // EVT-20, JOIN-46
  it('never let a person join a cancelled event, and notify every participant of the cancellation', async () => {
    for (let round = 0; round < 5; round++) {
      const event = await buildEvent(server, jana);
      const twenty = people.slice(round * 20, round * 20 + 20);
      const [cancelled, ...joined] = await Promise.all([
        retryWhileBusy(() => jana.api.patch(`/events/${event.id}`, { status: 'cancelled' })),
        ...twenty.map((who) => join(who, event)),
      ]);
      expect(cancelled?.status).toBe(200);
      const { 200: confirmed = 0, '409 cannot_join': refused = 0 } = tally(joined);
      expect(confirmed + refused).toBe(20);
      const cancelNotices = await server.sql(
        `SELECT 1 FROM notifications WHERE event_id = $1 AND kind = 'event_cancelled'`,
        [event.eventId],
      );
      expect([cancelNotices.length, await confirmedCountOf(event)]).toEqual([confirmed, confirmed]);
    }
  }, 300_000);

  // EVT-21
  it('either delete an event or let a person join it, but not both', async () => {
    for (let round = 0; round < 10; round++) {
      const event = await buildEvent(server, jana);
      const [deleted, ...joined] = await Promise.all([
        retryWhileBusy(() => jana.api.delete(`/events/${event.id}`)),
        ...people.slice(0, 4).map((who) => join(who, event)),
      ]);
      const { 200: confirmed = 0, '404 not_found': refused = 0 } = tally(joined);
      expect(confirmed + refused).toBe(4);
      expect(deleted?.status).toBe(confirmed > 0 ? 409 : 204);
      expect(await confirmedCountOf(event)).toBe(confirmed);
    }
  }, 300_000);
});

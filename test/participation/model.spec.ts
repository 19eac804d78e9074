import fc from 'fast-check';
import { WaitlistSeats } from '#areas/participation/waitlist/waitlist-seats';
import { JOIN_MODES, WAITLIST_MODES, type JoinMode, type WaitlistMode } from '#contract/vocabulary';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { crowd, retryWhileBusy } from '#testing/crowd';
import type { Answer, HttpClient } from '#testing/http-client';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { Model, type Credential } from './model';

const SEQUENCES = repetitions('model_sequences');
const STEPS = 30;
/** The number of lanes. A lane runs its sequences one after another, with its own people. All lanes run in parallel. */
const LANES = 16;
const PASSWORD = 'jablko';
/**
 * The seed of this run (libs/testing/jest/environment.cjs). Each lane adds its index to the seed.
 */
const SEED = fc.readConfigureGlobal()?.seed ?? 0;

/** The result of a step that sends no request. */
const DONE = { status: 200, body: {} } as Answer;

/** The event and its people on the server, to which the model is compared. */
interface Real {
  readonly organizer: HttpClient;
  readonly guests: readonly Person[];
  readonly event: BuiltEvent;
  readonly unusedTickets: string[];
}

/** One step, in most cases a request, with the result that the model expects. */
class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly name: string,
    private readonly expected: (model: Model) => string,
    private readonly ask: (real: Real) => Promise<Answer>,
    private readonly server: () => TestServer,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const expected = this.expected(model);
    const { status, body } = await retryWhileBusy(() => this.ask(real));
    const state = await stateOf(this.server(), real);
    expect([this.name, status < 300 ? String(status) : `${status} ${body.code}`, state]).toEqual([
      this.name,
      expected,
      {
        count: model.confirmed,
        guests: model.guests,
        checkedIn: model.checkedIn,
        offers: model.openOffers,
        held: model.held,
      },
    ]);
  }

  toString(): string {
    return this.name;
  }
}

async function stateOf(server: TestServer, { event, guests }: Real): Promise<object> {
  const [row] = await server.sql<object>(
    `SELECT e.confirmed_count AS count, e.offers_count AS held,
            array_agg(coalesce(p.offer_expires_at > now(), false) ORDER BY u.at) AS offers,
            array_agg(p.status ORDER BY u.at) AS guests,
            array_agg(p.checked_in_at IS NOT NULL ORDER BY u.at) AS "checkedIn"
       FROM events e
       CROSS JOIN unnest($2::bigint[]) WITH ORDINALITY u (id, at)
       LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = u.id
      WHERE e.id = $1 GROUP BY e.id, e.confirmed_count, e.offers_count`,
    [event.eventId, guests.map(({ userId }) => userId)],
  );
  return row ?? {};
}

/**
 * Runs random steps. After each step, the status, the code and the state must equal the prediction of a small model.
 */
// JOIN-43
describe('participation compared with a model', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const step = (name: string, expected: (model: Model) => string, ask: (real: Real) => Promise<Answer>) =>
    new Step(name, expected, ask, () => server);
  const guest = fc.integer({ min: 0, max: 2 });
  const participant = ({ event, guests }: Real, i: number, rest = '') =>
    `/events/${event.id}/participants/${guests[i]!.slug}${rest}`;

  /** Sends a request to join. If the request used a ticket, the ticket is removed from `unusedTickets`. */
  async function joinAs({ event, guests, unusedTickets }: Real, i: number, credential: Credential): Promise<Answer> {
    const ticket = credential === 'right' ? unusedTickets[0] : 'WRONG';
    const body =
      credential === 'none'
        ? {}
        : { password: credential === 'right' ? PASSWORD : 'hruška', ...(ticket && { ticket_code: ticket }) };
    const answer = await guests[i]!.api.post(`/events/${event.id}/join`, body);
    if (
      answer.status === 200 &&
      ticket &&
      (
        await server.sql('SELECT 1 FROM tickets WHERE event_id = $1 AND code = $2 AND used_at IS NOT NULL', [
          event.eventId,
          ticket,
        ])
      ).length > 0
    )
      unusedTickets.shift();
    return answer;
  }

  const credentials: readonly Credential[] = ['right', 'right', 'wrong', 'none'];
  const joins = fc.tuple(guest, fc.constantFrom(...credentials)).map(([i, credential]) =>
    step(
      `guest ${i} joins (${credential})`,
      (model) => model.join(i, credential),
      (real) => joinAs(real, i, credential),
    ),
  );
  const actions = [
    joins,
    joins,
    joins,
    guest.map((i) =>
      step(
        `guest ${i} joins the waitlist`,
        (model) => model.waitlist(i),
        ({ event, guests }) => guests[i]!.api.post(`/events/${event.id}/waitlist`),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} leaves`,
        (model) => model.leave(i),
        ({ event, guests }) => guests[i]!.api.delete(`/events/${event.id}/join`),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is invited`,
        (model) => model.invite(i),
        ({ organizer, event, guests }) => organizer.post(`/events/${event.id}/participants`, { user: guests[i]!.slug }),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is promoted`,
        (model) => model.promote(i),
        (real) => real.organizer.post(participant(real, i, '/promote')),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is removed`,
        (model) => model.remove(i, false),
        (real) => real.organizer.delete(participant(real, i)),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is banned`,
        (model) => model.remove(i, true),
        (real) => real.organizer.delete(participant(real, i, '?ban=1')),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is checked in`,
        (model) => model.checkIn(i),
        (real) => real.organizer.put(participant(real, i, '/check-in')),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is no longer checked in`,
        (model) => model.undoCheckIn(i),
        (real) => real.organizer.delete(participant(real, i, '/check-in')),
      ),
    ),
    fc.constant(
      step(
        'a ticket is created',
        (model) => model.createTicket(),
        async ({ organizer, event, unusedTickets }) => {
          const answer = await organizer.post(`/events/${event.id}/tickets`, { count: 1 });
          if (answer.status === 201) unusedTickets.push(answer.body.data[0].code);
          return answer;
        },
      ),
    ),
    fc.constantFrom(null, 2, 3, 4).map((max) =>
      step(
        `the event gets the limit ${max}`,
        (model) => model.changeMax(max),
        ({ organizer, event }) => organizer.patch(`/events/${event.id}`, { max_participants: max }),
      ),
    ),
    fc.constantFrom(...WAITLIST_MODES).map((mode) =>
      step(
        `the event gets the waitlist mode ${mode}`,
        (model) => model.changeWaitlistMode(mode),
        ({ organizer, event }) => organizer.patch(`/events/${event.id}`, { waitlist_mode: mode }),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is blocked`,
        (model) => model.block(i),
        ({ organizer, guests }) => organizer.put(`/blocks/${guests[i]!.slug}`),
      ),
    ),
    guest.map((i) =>
      step(
        `guest ${i} is no longer blocked`,
        (model) => model.unblock(i),
        ({ organizer, guests }) => organizer.delete(`/blocks/${guests[i]!.slug}`),
      ),
    ),
    fc.constant(
      step(
        'offers lapse',
        (model) => model.lapse(),
        async ({ event }) => {
          await server.sql(
            `UPDATE participations SET offer_expires_at = now() - interval '1 minute'
              WHERE event_id = $1 AND offer_expires_at IS NOT NULL`,
            [event.eventId],
          );
          return DONE;
        },
      ),
    ),
    fc.constant(
      step(
        'the job of the waitlist runs',
        (model) => model.sweep(),
        async ({ event }) => {
          await server.app.get(WaitlistSeats, { strict: false }).settleAlone(event.eventId);
          return DONE;
        },
      ),
    ),
    fc.constantFrom(...JOIN_MODES).map((mode) =>
      step(
        `the event gets the join mode ${mode}`,
        (model) => model.changeMode(mode),
        ({ organizer, event }) => organizer.patch(`/events/${event.id}`, { join_mode: mode, join_password: PASSWORD }),
      ),
    ),
  ];
  const cancellation = fc.constant(
    step(
      'the event is cancelled',
      (model) => model.cancel(),
      ({ organizer, event }) => organizer.patch(`/events/${event.id}`, { status: 'cancelled' }),
    ),
  );
  const steps = fc.array(
    fc.oneof(...actions.map((arbitrary) => ({ arbitrary, weight: 20 })), { arbitrary: cancellation, weight: 3 }),
    { minLength: STEPS, maxLength: STEPS },
  );
  const circumstances = fc.record({
    mode: fc.constantFrom<JoinMode>(...JOIN_MODES),
    max: fc.constantFrom(null, 2, 3, 3, 4),
    isPublic: fc.boolean(),
    price: fc.constantFrom(0, 0, 0, 0, 10),
    waitlistMode: fc.constantFrom<WaitlistMode>('manual', 'auto', 'offer', 'offer'),
  });

  it(
    `agrees with the model in ${SEQUENCES} sequences of ${STEPS} steps`,
    async () => {
      const people = await crowd(server, LANES * 4);
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          const [organizer, ...guests] = people.slice(lane * 4, lane * 4 + 4);
          await fc.assert(
            fc.asyncProperty(
              steps,
              circumstances,
              async (commands, { mode: drawnMode, max, isPublic, price, waitlistMode }) => {
                // An event with a price in credits cannot have the join mode `request` (EVT-11).
                const mode = price > 0 && drawnMode === 'request' ? 'open' : drawnMode;
                await fc.asyncModelRun(async () => {
                  await server.sql('DELETE FROM participations WHERE user_id = ANY($1::bigint[])', [
                    guests.map(({ userId }) => userId),
                  ]);
                  await server.sql('DELETE FROM user_blocks WHERE blocker_id = $1', [organizer!.userId]);
                  const event = await buildEvent(server, organizer!, {
                    join_mode: mode,
                    join_password: PASSWORD,
                    max_participants: max,
                    is_public: isPublic,
                    waitlist_mode: waitlistMode,
                    editorial: { ticketPriceCredits: price },
                  });
                  return {
                    model: new Model(mode, max, isPublic, price, waitlistMode),
                    real: { organizer: organizer!.api, guests, event, unusedTickets: [] },
                  };
                }, commands);
              },
            ),
            { numRuns: Math.ceil(SEQUENCES / LANES), seed: SEED + lane },
          );
        }),
      );
    },
    Math.max(300_000, SEQUENCES * 2_000),
  );
});

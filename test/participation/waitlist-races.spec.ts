import { Settings } from '#platform/config/settings';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { crowd } from '#testing/crowd';
import { Feed } from '#testing/feed';
import { HttpClient } from '#testing/http-client';
import { ledgerFaults } from '#testing/ledger';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';

const SEATS = 6;
const PEOPLE = repetitions('waitlist_people');
const ROUNDS = repetitions('waitlist_rounds');
const KILLS = repetitions('waitlist_kills');
const OFFER_HOURS = 1;

describe('a waitlist under parallel load', () => {
  let server: TestServer;
  let organizer: Person;
  let people: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    [organizer, ...people] = (await crowd(server, PEOPLE + 1)) as [Person, ...Person[]];
  });
  afterAll(() => server.stop());

  /** Creates an event in which the organizer and five guests take all seats; everybody else is on the waitlist. */
  const createFullEvent = (mode: 'auto' | 'offer'): Promise<BuiltEvent> =>
    buildEvent(server, organizer, {
      max_participants: SEATS,
      waitlist_mode: mode,
      offer_hours: OFFER_HOURS,
      with: people.map((person, i) => [person, i < SEATS - 1 ? 'confirmed' : 'waitlisted']),
    });
  const seatCounts = async ({ eventId }: BuiltEvent) => {
    const [row] = await server.sql<{ confirmed: number; offered: number; waiting: number }>(
      `SELECT count(*) FILTER (WHERE status = 'confirmed')::int AS confirmed,
              count(*) FILTER (WHERE offer_expires_at IS NOT NULL)::int AS offered,
              count(*) FILTER (WHERE status = 'waitlisted' AND offer_expires_at IS NULL)::int AS waiting
         FROM participations WHERE event_id = $1`,
      [eventId],
    );
    return row!;
  };
  /** All people send a request at the same time: to leave, to join (or accept an offer), or to join the waitlist. */
  const sendFromAll = (event: BuiltEvent, round: number, clientOf: (person: Person) => HttpClient) =>
    Promise.all(
      people.map((person, i) => {
        const api = clientOf(person);
        if ((i + round) % 3 === 0) return api.delete(`/events/${event.id}/join`);
        if ((i + round) % 3 === 1) return api.post(`/events/${event.id}/join`, {});
        return api.post(`/events/${event.id}/waitlist`, {});
      }),
    );
  /**
   * Checks that no seat is given twice, and that no seat is free while people wait. The organizer, who has no
   * participation, also takes a seat. Also checks the invariants of `ledgerFaults`.
   */
  const expectConsistentSeats = async (event: BuiltEvent) => {
    const { confirmed, offered, waiting } = await seatCounts(event);
    const taken = 1 + confirmed + offered;
    expect({ taken, isWithin: taken <= SEATS }).toEqual({ taken, isWithin: true });
    if (waiting > 0) expect(taken).toBe(SEATS);
    expect(await ledgerFaults(server)).toEqual([]);
  };

  // JOIN-54, JOIN-65
  it.each(['auto', 'offer'] as const)(
    'gives each seat to one person, and leaves no seat free while people wait, in mode %s',
    async (mode) => {
      const event = await createFullEvent(mode);
      for (let round = 0; round < ROUNDS; round++) {
        const requests = sendFromAll(event, round, ({ api }) => api);
        // In every second round, the offers of the previous round expire while the requests run.
        if (round % 2 === 1) {
          server.clock.forward(OFFER_HOURS * 3_600_000);
          await server.job('offers-sweep');
        }
        await requests;
        await server.job('offers-sweep');
        await expectConsistentSeats(event);
      }
    },
    60_000 + ROUNDS * PEOPLE * 50,
  );

  // JOIN-65
  it(
    'gives no seat twice and leaves no seat free if a server is killed and the job offers-sweep then runs',
    async () => {
      const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
      for (let kill = 0; kill < KILLS; kill++) {
        const events = [await createFullEvent('offer'), await createFullEvent('auto')];
        const serverProcess = await ServerProcess.start({
          DATABASE_URL: databaseUrl ?? '',
          DATA_DIR: dataDir,
          APP_SECRET: appSecret,
          RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
          RATE_LIMIT_IP_PER_MINUTE: '1000000',
        });
        let finishedRounds = 0;
        const load = Promise.allSettled(
          [0, 1, 2].flatMap((round) =>
            events.map((event) =>
              sendFromAll(
                event,
                round,
                (person) => new HttpClient(serverProcess.origin, { authorization: `Bearer ${person.token}` }),
              ).then(() => finishedRounds++),
            ),
          ),
        );
        await Promise.race([load, new Promise((resolve) => setTimeout(resolve, 60 + 60 * kill))]);
        await serverProcess.kill();
        await load;
        // The server was killed before it had answered all requests.
        expect(finishedRounds).toBeLessThan(3 * events.length);
        await server.job('offers-sweep');
        for (const event of events) await expectConsistentSeats(event);
      }
    },
    60_000 + KILLS * 30_000,
  );

  // JOIN-64
  it('reports an offered seat to the person and to the organizer, in entries of the feed whose `by` is null', async () => {
    const [petr, eva, ivan] = people as [Person, Person, Person];
    const event = await buildEvent(server, organizer, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
      ],
    });
    const [feedOfOrganizer, feedOfEva, feedOfIvan] = (await Feed.all(organizer, eva, ivan)) as [Feed, Feed, Feed];
    await petr.api.delete(`/events/${event.id}/join`);
    expect(await feedOfEva.summaries()).toContain(`event.updated ${event.id} -`);
    expect(await feedOfOrganizer.summaries()).toContain(`participant.updated ${eva.slug} -`);
    await feedOfIvan.summaries();
    await eva.api.delete(`/events/${event.id}/join`);
    expect(await feedOfIvan.summaries()).toContain(`event.updated ${event.id} -`);
    const entries = await feedOfOrganizer.summaries();
    expect(entries.some((entry) => entry.startsWith(`participant.gone ${eva.slug}`))).toBe(true);
    expect(entries).toContain(`participant.updated ${ivan.slug} -`);
  });
});

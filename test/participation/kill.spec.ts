import { CreditsCommands } from '#areas/credits/credits.commands';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { Settings } from '#platform/config/settings';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { crowd } from '#testing/crowd';
import { HttpClient } from '#testing/http-client';
import { ledgerFaults } from '#testing/ledger';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const KILLS = repetitions('kills');

interface Round {
  readonly open: BuiltEvent;
  readonly priced: BuiltEvent;
  readonly requests: BuiltEvent;
  readonly tickets: BuiltEvent;
  readonly codes: readonly string[];
}

/** A write that the server has acknowledged, and the query that finds it in the database. */
type AcknowledgedWrite = readonly [what: string, sql: string, values: readonly unknown[]];

/** The numbers of participants, tickets, credits and requests stay correct when the server is killed. */
// JOIN-44
describe('killing the server with SIGKILL under load', () => {
  let server: TestServer;
  let organizer: Person;
  let people: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    [organizer, ...people] = (await crowd(server, 41)) as [Person, ...Person[]];
    await server.database.transaction(async (tx) => {
      for (const who of people) await server.app.get(CreditsCommands).grant(tx, who.userId, 10 * KILLS);
    });
  });
  afterAll(() => server.stop());

  it(`loses no acknowledged write and leaves no partial write (${KILLS} kills)`, async () => {
    const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
    const start = () =>
      ServerProcess.start({
        DATABASE_URL: databaseUrl ?? '',
        DATA_DIR: dataDir,
        APP_SECRET: appSecret,
        RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
        RATE_LIMIT_IP_PER_MINUTE: '1000000',
      });
    let acknowledged = 0;
    let unanswered = 0;
    let next = start();
    for (let kill = 0; kill < KILLS; kill++) {
      const round = await prepare();
      const serverProcess = await next;
      if (kill + 1 < KILLS) next = start();
      const acknowledgedWrites: AcknowledgedWrite[] = [];
      const answers = load(serverProcess.origin, round, acknowledgedWrites);
      // Each kill comes later in the load than the kill before it.
      await waitUntil(() => acknowledgedWrites.length >= 5 + 4 * kill);
      await serverProcess.kill();
      unanswered += (await Promise.all(answers)).filter((answered) => !answered).length;
      acknowledged += acknowledgedWrites.length;
      for (const [what, sql, values] of acknowledgedWrites)
        expect([what, (await server.sql(sql, values)).length]).toEqual([what, 1]);
      expect(await ledgerFaults(server)).toEqual([]);
      expect(await partialTransactions()).toEqual([]);
    }
    // If few requests were acknowledged or few were interrupted, the test would prove nothing.
    expect(acknowledged).toBeGreaterThan(KILLS);
    expect(unanswered).toBeGreaterThan(KILLS);
  }, 600_000);

  async function prepare(): Promise<Round> {
    const [open, priced, requests, tickets] = await Promise.all([
      buildEvent(server, organizer, { max_participants: 30 }),
      buildEvent(server, organizer, { editorial: { ticketPriceCredits: 10 } }),
      buildEvent(server, organizer, { join_mode: 'request' }),
      buildEvent(server, organizer, { join_mode: 'tickets' }),
    ]);
    await server.sql(`DELETE FROM participations WHERE status = 'requested'`);
    await server.sql('DELETE FROM notifications');
    await server.database.transaction(async (tx) => {
      for (const who of people)
        await server.app.get(ParticipationCommands).setParticipation(tx, priced.eventId, who.userId, {
          status: 'confirmed',
          checkedInAt: null,
          paidCredits: 10,
        });
    });
    const { body } = await organizer.api.post(`/events/${tickets.id}/tickets`, { count: 40 });
    return { open, priced, requests, tickets, codes: body.data.map(({ code }: { code: string }) => code) };
  }

  /**
   * Sends one request about each person to each event of the round. All requests run in parallel. Each promise resolves
   * to true if a response arrived, otherwise to false. `acknowledgedWrites` receives the writes that succeeded.
   */
  function load(
    origin: string,
    { open, priced, requests, tickets, codes }: Round,
    acknowledgedWrites: AcknowledgedWrite[],
  ): Promise<boolean>[] {
    const clientOf = ({ token }: Person) => new HttpClient(origin, { authorization: `Bearer ${token}` });
    const ROW = 'SELECT 1 FROM participations WHERE event_id = $1 AND user_id = $2';
    const HOLD = 'SELECT 1 FROM credit_holds WHERE event_id = $1 AND user_id = $2';
    return people.flatMap((who, i) => {
      const track = async (write: AcknowledgedWrite, ask: () => Promise<{ status: number }>): Promise<boolean> => {
        const answer = await ask().catch(() => null);
        if (answer && answer.status < 300) acknowledgedWrites.push(write);
        return answer !== null;
      };
      const ids = ({ eventId }: BuiltEvent) => [eventId, who.userId];
      return [
        track(['join', `${ROW} AND status = 'confirmed'`, ids(open)], () =>
          clientOf(who).post(`/events/${open.id}/join`),
        ),
        track(['request', `${ROW} AND status = 'requested'`, ids(requests)], () =>
          clientOf(who).post(`/events/${requests.id}/join`),
        ),
        track(['ticket', `${ROW} AND ticket_code = '${codes[i]}'`, ids(tickets)], () =>
          clientOf(who).post(`/events/${tickets.id}/join`, { ticket_code: codes[i] }),
        ),
        i % 2
          ? track(['leave', `${HOLD} AND status = 'refunded'`, ids(priced)], () =>
              clientOf(who).delete(`/events/${priced.id}/join`),
            )
          : track(['check-in', `${HOLD} AND status = 'released'`, ids(priced)], () =>
              clientOf(organizer).put(`/events/${priced.id}/participants/${who.slug}/check-in`),
            ),
      ];
    });
  }

  /** Finds partial transactions: the writes of a transaction must either all be present or all be missing. */
  async function partialTransactions(): Promise<unknown[]> {
    return server.sql(
      `SELECT 'request without a notice' AS fault, p.user_id FROM participations p WHERE p.status = 'requested'
          AND NOT EXISTS (SELECT 1 FROM notifications n
                           WHERE n.kind = 'request' AND n.event_id = p.event_id AND n.person_id = p.user_id)
       UNION ALL SELECT 'notice without a request', n.person_id FROM notifications n WHERE n.kind = 'request'
          AND NOT EXISTS (SELECT 1 FROM participations p
                           WHERE p.event_id = n.event_id AND p.user_id = n.person_id AND p.status = 'requested')
       UNION ALL SELECT 'used ticket without a participant', t.used_by FROM tickets t WHERE t.used_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM participations p
                           WHERE p.event_id = t.event_id AND p.user_id = t.used_by AND p.ticket_code = t.code)
       UNION ALL SELECT 'released credits without a check-in, or a check-in without released credits', h.user_id FROM credit_holds h
           JOIN participations p ON p.credit_hold_id = h.id
          WHERE (h.status = 'released') <> (p.checked_in_at IS NOT NULL)`,
    );
  }
});

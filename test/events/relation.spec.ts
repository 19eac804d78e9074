import { BANNED, BLOCKERS } from '#areas/discover/discover.counting';
import { EventAccessPolicy } from '#areas/events/event-access.policy';
import {
  HAS_MANUAL_WAITLIST_SQL,
  hasRoomSql,
  isClosed,
  isClosedSql,
  isFull,
  isListable,
  isOpenSql,
  GIVES_SEATS_TO_WAITLIST_SQL,
  givesSeatsToWaitlist,
  seesEventSql,
  visibilityOf,
  takesPart,
  waitlistModeOf,
  type EventFacts,
  type PersonAtEvent,
  type WaitlistFacts,
} from '#areas/events/event-relation';
import { blocksSql } from '#areas/identity/account-conditions.sql';
import { JOIN_MODES, PARTICIPATION_STATES, WAITLIST_MODES, type ParticipationState } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import type { Refusal } from '#platform/http/refusal';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

interface Row extends EventFacts, WaitlistFacts {
  readonly gives_seats: boolean;
  readonly is_manual: boolean;
  readonly id: string;
  readonly participation: ParticipationState | null;
  readonly sees: boolean;
  readonly closed: boolean;
  readonly open: boolean;
  readonly has_room: boolean;
  readonly blocked: boolean;
  readonly listable: boolean;
  readonly live: boolean;
  readonly not_listed: boolean;
}

/** Evaluates every rule in SQL for every event. $1 is the id of the viewer, and $2 is the current time. */
const RULES = statement(
  'test_relation',
  `
  SELECT e.id, e.organizer_id, e.is_public, e.status, e.over_at, e.confirmed_count, e.offers_count, e.max_participants, e.join_mode, e.ticket_price_credits, e.waitlist_mode, ${GIVES_SEATS_TO_WAITLIST_SQL} AS gives_seats, ${HAS_MANUAL_WAITLIST_SQL} AS is_manual, me.status AS participation,
         ${seesEventSql('$1')} AS sees, ${isClosedSql('$2')} AS closed, (${isOpenSql('$2')}) AS open, ${blocksSql('e.organizer_id', '$1')} AS blocked,
         ${hasRoomSql('e')} AS has_room,
         EXISTS (SELECT 1 FROM listable_events l WHERE l.id = e.id) AS listable, EXISTS (SELECT 1 FROM live_events l WHERE l.id = e.id) AS live,
         (e.organizer_id = $1 OR e.organizer_id IN (${BLOCKERS}) OR e.id IN (${BANNED})) AS not_listed
    FROM events e LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1`,
);

/** EVT-23, EVT-24: the rules about an event and a person always give the same result in TypeScript and in SQL. */
describe('the rules about an event and a person', () => {
  let server: TestServer;
  let viewer: Person, other: Person, blocker: Person;
  let rows: Row[];

  beforeAll(async () => {
    server = await TestServer.start();
    ({ viewer, other, blocker } = await server.people('viewer', 'other', 'blocker'));
    await server.sql('INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $2)', [
      blocker.userId,
      viewer.userId,
    ]);
    // In this query, the column source_url contains the viewer's participation state for the second INSERT.
    await server.sql(
      `WITH made AS (
         INSERT INTO events (organizer_id, title, type, starts_at, is_public, status, join_mode, seeking_company, photos_enabled, max_participants, confirmed_count, created_at, updated_at, source_url)
         SELECT organizer, 'Kombinace', 'other', date_trunc('second', now()) + days * interval '1 day', is_public, status, 'open', false, false, max_people, 2, now(), now(), state
           FROM unnest($1::bigint[]) organizer, unnest(ARRAY[true, false]) is_public, unnest(ARRAY['active', 'cancelled']) status,
                unnest(ARRAY[-2, 2]) days, unnest(ARRAY[NULL, 3, 4]) max_people, unnest($2::text[]) state
         RETURNING id, source_url)
       INSERT INTO participations (event_id, user_id, status, created_at, updated_at) SELECT id, $3, source_url, now(), now() FROM made WHERE source_url <> 'none'`,
      [[viewer.userId, other.userId, blocker.userId], ['none', ...PARTICIPATION_STATES], viewer.userId],
    );
    rows = await server.database.rows<Row>(RULES, [viewer.userId, server.clock.now()]);
  });
  afterAll(() => server.stop());

  const viewerAt = ({ participation }: Row): PersonAtEvent => ({ userId: viewer.userId, participation });
  const expectSameResult = (rule: (row: Row) => unknown, sql: (row: Row) => unknown): void => {
    expect(rows).toHaveLength(3 * 2 * 2 * 2 * 3 * 7);
    expect(new Set(rows.map(rule)).size).toBe(2);
    expect(rows.filter((row) => rule(row) !== sql(row))).toEqual([]);
  };

  // EVT-23
  it('show a private event only to the organizer and to people who are confirmed, invited, waiting or have asked to join', () => {
    const seeing = new Set(
      rows
        .filter((row) => !row.is_public && Number(row.organizer_id) !== viewer.userId && row.sees)
        .map(({ participation }) => participation),
    );
    expect([...seeing].sort()).toEqual(['confirmed', 'pending', 'requested', 'waitlisted']);
  });
  // EVT-23, EVT-24
  it('agree in TypeScript and in SQL about whether the viewer sees an event', () =>
    expectSameResult(
      (row) => visibilityOf(row, viewerAt(row)) === 'seen',
      ({ sees }) => sees,
    ));
  // JOIN-2
  it('agree in TypeScript and in SQL about whether an event is closed', () =>
    expectSameResult(
      (row) => isClosed(row, server.clock.now()),
      ({ closed }) => closed,
    ));
  it('close an event at the exact time of its end', async () => {
    const ending = rows.find(({ status }) => status === 'active')!;
    const rowAtEnd = (await server.database.rows<Row>(RULES, [viewer.userId, ending.over_at])).find(
      ({ id }) => id === ending.id,
    )!;
    expect([isClosed(rowAtEnd, ending.over_at), rowAtEnd.closed, rowAtEnd.open]).toEqual([true, true, false]);
  });
  it('treat an event as open if and only if the event is not closed', () =>
    expectSameResult(
      (row) => !isClosed(row, server.clock.now()),
      ({ open }) => open,
    ));
  // JOIN-2
  it('agree in TypeScript and in SQL about whether an event is full', () =>
    expectSameResult(isFull, ({ has_room }) => !has_room));
  // JOIN-12, JOIN-61
  it('count an offered seat as a taken seat, in TypeScript and in SQL', async () => {
    await server.sql('UPDATE all_events SET offers_count = 1 WHERE max_participants = 4');
    const offering = await server.database.rows<Row>(RULES, [viewer.userId, server.clock.now()]);
    await server.sql('UPDATE all_events SET offers_count = 0');
    expect(offering.filter((row) => isFull(row) === row.has_room)).toEqual([]);
    expect(offering.filter(isFull).length).toBe(offering.filter((row) => row.max_participants !== null).length);
  });
  // JOIN-53, JOIN-54
  it('agree in TypeScript and in SQL about whether free seats are passed on to the waitlist, and about whether the waitlist is manual', async () => {
    const combinations: Row[] = [];
    for (const mode of WAITLIST_MODES)
      for (const joining of JOIN_MODES)
        for (const price of [0, 10]) {
          const changes = [mode, joining, price];
          await server.sql(
            `UPDATE all_events SET waitlist_mode = $1, join_mode = $2, ticket_price_credits = $3,
                    join_password_sealed = CASE WHEN $2 = 'password' THEN 'sealed' END`,
            changes,
          );
          combinations.push(...(await server.database.rows<Row>(RULES, [viewer.userId, server.clock.now()])));
        }
    await server.sql(
      `UPDATE all_events SET waitlist_mode = 'manual', join_mode = 'open', ticket_price_credits = 0, join_password_sealed = NULL`,
    );
    expect(new Set(combinations.map(givesSeatsToWaitlist)).size).toBe(2);
    expect(combinations.filter((row) => givesSeatsToWaitlist(row) !== row.gives_seats)).toEqual([]);
    expect(combinations.filter((row) => (waitlistModeOf(row) === 'manual') !== row.is_manual)).toEqual([]);
  });
  it('agree in TypeScript and in SQL about whether the organizer blocks the viewer', () =>
    expectSameResult(
      ({ organizer_id }) => Number(organizer_id) === blocker.userId,
      ({ blocked }) => blocked,
    ));
  // DISC-1
  it('agree in TypeScript, in the view listable_events and in the table live_events about which events are listed', () => {
    expectSameResult(isListable, ({ listable }) => listable);
    expectSameResult(isListable, ({ live }) => live);
  });
  it('exclude from lists the viewer’s own events, events of people who block the viewer, and events that the viewer is banned from', () =>
    expectSameResult(
      (row) => Number(row.organizer_id) !== other.userId || row.participation === 'banned',
      ({ not_listed }) => not_listed,
    ));

  // EVT-23, EVT-24
  it('determine whether a request gets the event, 403 banned or 404, and whether the viewer takes part', async () => {
    const policy = server.app.get(EventAccessPolicy, { strict: false });
    const wrong = [];
    for (const row of rows) {
      const answer = await policy
        .visible(server.database, Number(row.id), viewer.userId)
        .catch((error: unknown) => (error as Refusal).code);
      const visibility = visibilityOf(row, viewerAt(row));
      const expected = { seen: 'seen', banned: 'banned', hidden: 'not_found' }[visibility];
      if ((typeof answer === 'string' ? answer : 'seen') !== expected) wrong.push({ row, answer });
      if (typeof answer !== 'string' && answer.takesPart !== takesPart(row, viewerAt(row))) wrong.push({ row, answer });
    }
    expect(wrong).toEqual([]);
  });
});

import fc from 'fast-check';
import { Client } from 'pg';
import { Settings } from '#platform/config/settings';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { injectedTextFor } from '#testing/injected-get';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';

const HISTORIES = repetitions('current_histories');
const STEPS = 25;
const DAY_MS = 86_400_000;

/**
 * RETRY-14, RETRY-16, DISC-3, docs/adr/0310-rendered-events.md. An event's response can change for many reasons;
 * another server or any SQL statement can cause the change. After each change, a conditional request must get 304 if
 * the full response still has the same ETag, and only then. Each event of a list must equal the response for this
 * single event.
 */
describe('responses with events', () => {
  let server: TestServer;
  let jana: Person;
  let eva: Person;
  let petr: Person;
  let testStart: Date;
  let events: BuiltEvent[];
  let seriesId: number;
  let occurrence: number;
  let groupId: number;
  let otherSession: Client;
  let random: () => number;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, eva, petr } = await server.people('jana', 'eva', 'petr'));
    otherSession = new Client({
      connectionString: server.app.get(Settings).databaseUrl ?? '',
      options: '-c TimeZone=UTC',
    });
    await otherSession.connect();
    testStart = server.clock.now();
    const inHours = (hours: number): Date => new Date(testStart.getTime() + hours * 3_600_000);
    const group = await buildGroup(server, jana);
    ({ groupId } = group);
    ({ seriesId } = await buildSeries(server, jana, { title: 'Piknik každý týden', startsAt: inHours(30), atMost: 3 }));
    occurrence = (
      await firstRow<{ id: number }>('SELECT max(id)::int AS id FROM events WHERE series_id = $1', [seriesId])
    ).id;
    events = [
      await buildEvent(server, jana, {
        title: 'Piknik první',
        starts_at: inHours(24),
        ends_at: inHours(26),
        latitude: 50,
        longitude: 14,
        with: [[petr, 'confirmed']],
      }),
      await buildEvent(server, jana, {
        title: 'Piknik druhý',
        starts_at: inHours(25),
        latitude: 50,
        longitude: 14.01,
        age_min: 20,
        age_max: 40,
        max_participants: 5,
      }),
      await buildEvent(server, eva, {
        title: 'Běh',
        starts_at: inHours(40),
        join_mode: 'request',
        gender_restriction: 'female',
        with: [[petr, 'requested']],
      }),
      await buildEvent(server, eva, { title: 'Koncert', starts_at: inHours(60), join_mode: 'request', price_czk: 100 }),
      await buildEvent(server, jana, {
        title: 'Soukromý',
        starts_at: inHours(70),
        is_public: false,
        with: [
          [petr, 'confirmed'],
          [eva, 'pending'],
        ],
      }),
      await buildEvent(server, petr, { title: 'Vlastní piknik', starts_at: inHours(80), with: [[jana, 'confirmed']] }),
    ];
    await server.sql('UPDATE events SET group_id = $2 WHERE id = $1', [idOf(1), groupId]);
  });
  afterAll(async () => {
    await otherSession.end();
    await server.stop();
  });
  beforeEach(() => server.clock.freezeAt(testStart));

  const idOf = (n: number): number => events[n]!.eventId;
  const firstRow = async <Row extends object>(text: string, values: unknown[]): Promise<Row> =>
    (await server.sql<Row>(text, values))[0] as Row;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const freezeHoursAfterStart = (hours: number): void =>
    server.clock.freezeAt(new Date(testStart.getTime() + hours * 3_600_000));

  const listPaths = (): string[] => [
    '/discover/events',
    '/discover/events?per_page=3&page=2',
    '/discover/events?q=piknik',
    '/discover/events?q=pi',
    '/discover/events?lat=50&lng=14',
    '/events',
    '/events?scope=upcoming',
    '/events?relation=joined',
    '/events?relation=joined&per_page=1&page=2',
  ];
  const eventPaths = (): string[] =>
    [0, 2, 4, 5]
      .flatMap((n) => events[n]!)
      .flatMap(({ id: hashid }) => [`/discover/events/${hashid}`, `/events/${hashid}`]);
  const requests = (): (readonly [Person, string])[] =>
    [petr, eva, jana].flatMap((who) =>
      [...listPaths(), '/discover/events?min_participants=2', ...eventPaths()].map((path) => [who, path] as const),
    );

  const tags = new Map<string, string>();
  /**
   * Sends a request twice, once with the ETag of the last response and once without an ETag, and compares the two
   * responses. Returns the text of the response to the second request.
   */
  async function compare(after: string, who: Person, path: string): Promise<string> {
    const request = `${who.slug} ${path}`;
    const tag = tags.get(request) ?? '"none"';
    const [conditional, full] = await Promise.all([
      injectedTextFor(server, who, path, { 'if-none-match': tag }),
      injectedTextFor(server, who, path),
    ]);
    const { etag } = full;
    const actual = { status: conditional.status, etag: conditional.etag };
    expect([after, request, actual]).toEqual([
      after,
      request,
      { status: etag !== null && etag === tag ? 304 : full.status, etag },
    ]);
    if (conditional.status === 200) expect(conditional.text).toBe(full.text);
    if (etag === null) tags.delete(request);
    else tags.set(request, etag);
    return full.text;
  }

  async function compareAll(after: string): Promise<void> {
    await Promise.all(requests().map(([who, path]) => compare(after, who, path)));
  }

  /**
   * Compares each event of the list with the response for this single event. The response for a single event is always
   * rendered from the whole row (docs/adr/0310-rendered-events.md).
   *
   * @param texts responses that this person has just got, by path; other responses are requested
   */
  async function compareListWithSingleEvents(
    after: string,
    who: Person,
    texts: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const textOf = async (path: string): Promise<string> =>
      texts.get(path) ?? (await injectedTextFor(server, who, path)).text;
    const text = await textOf('/discover/events');
    const body = JSON.parse(text) as { data?: { id: string }[] };
    expect([after, text]).toEqual([after, JSON.stringify(body)]);
    for (const listed of body.data ?? []) {
      expect([after, JSON.stringify(listed)]).toEqual([
        after,
        JSON.stringify((JSON.parse(await textOf(`/discover/events/${listed.id}`)) as { data: unknown }).data),
      ]);
    }
  }

  const CAUSES: Record<string, () => unknown> = {
    'another name': () =>
      server.sql('UPDATE users SET name = $2 WHERE id = $1', [jana.userId, pick(['Jana', 'Jana Nová', 'Jana Stará'])]),
    'another nickname': () =>
      server.sql('UPDATE users SET nickname = $2 WHERE id = $1', [
        pick([jana, eva]).userId,
        pick(['Evka', 'Jana', null]),
      ]),
    'another birthday or gender': () =>
      server.sql('UPDATE users SET birth_date = $2, gender = $3 WHERE id = $1', [
        petr.userId,
        pick(['1970-01-01', '2000-01-01', null]),
        pick(['female', 'male', null]),
      ]),
    'another title': () =>
      jana.api.patch(`/events/${pick(events).id}`, { title: pick(['Piknik první', 'Sraz', 'Piknik v parku']) }),
    'another price': () => eva.api.patch(`/events/${events[3]!.id}`, { price_czk: pick([0, 100, 250]) }),
    'another place': () => jana.api.patch(`/events/${events[0]!.id}`, { latitude: pick([50, 51]), longitude: 14 }),
    'another join mode or password': () =>
      petr.api.patch(
        `/events/${events[5]!.id}`,
        pick([{ join_mode: 'password', join_password: `p${Math.floor(random() * 3)}` }, { join_mode: 'open' }]),
      ),
    'pictures of an event': () =>
      server.sql('UPDATE events SET images = $2 WHERE id = $1', [
        idOf(pick([0, 1, 3])),
        pick(['[]', '[{"id":1,"key":"a.jpg","width":1,"height":1,"is_primary":true}]']),
      ]),
    'a boost': () =>
      server.sql(`UPDATE events SET boosted_until = $2 WHERE id = $1`, [
        idOf(pick([1, 2, 3])),
        pick([null, new Date(testStart.getTime() + 8 * 3_600_000), new Date(testStart.getTime() + 20 * 3_600_000)]),
      ]),
    'a person who joins an event': () =>
      pick([petr, eva]).api.post(`/events/${pick([events[0]!, events[1]!]).id}/join`, {}),
    'a participant who leaves an event': () =>
      pick([petr, eva, jana]).api.send('DELETE', `/events/${pick(events).id}/join`),
    'a request to join an event': () => petr.api.post(`/events/${pick([events[2]!, events[3]!]).id}/join`, {}),
    'the maximum number of requests to join an event, or no request': () =>
      pick([0, 1]) === 0
        ? server.sql(
            `WITH crowd AS (INSERT INTO users (slug, name, created_at, updated_at) SELECT 'crowd-' || gen_random_uuid(), 'Kdosi', now(), now() FROM generate_series(1, 100) RETURNING id)
          INSERT INTO participations (event_id, user_id, status, requested_at, created_at, updated_at) SELECT $1, id, 'requested', now(), now(), now() FROM crowd`,
            [idOf(3)],
          )
        : server.sql(`DELETE FROM participations WHERE event_id = $1 AND status = 'requested'`, [idOf(3)]),
    'a block, or the end of all blocks': () =>
      pick([0, 1]) === 0
        ? server.sql(
            'INSERT INTO user_blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
            [pick([jana, eva]).userId, petr.userId],
          )
        : server.sql('DELETE FROM user_blocks'),
    'a ban from an event, or its end': () =>
      server.sql(
        `UPDATE participations SET status = CASE status WHEN 'banned' THEN 'waitlisted' ELSE 'banned' END, check_in_code = NULL, joined_at = NULL, requested_at = NULL, invited_at = NULL
        WHERE event_id = $1 AND user_id = $2 AND status <> 'confirmed'`,
        [idOf(2), petr.userId],
      ),
    'an organizer whose account is banned or unbanned': () =>
      server.sql('UPDATE users SET banned = NOT banned WHERE id = $1', [eva.userId]),
    'another start': () =>
      eva.api.patch(`/events/${events[3]!.id}`, {
        starts_at: new Date(testStart.getTime() + pick([3, 5, 60]) * 3_600_000).toISOString(),
      }),
    'an event that becomes private or public': () =>
      jana.api.patch(`/events/${pick([events[0]!, events[4]!]).id}`, { is_public: pick([true, false]) }),
    'a new event': () =>
      buildEvent(server, pick([jana, eva, petr]), {
        title: pick(['Piknik jindy', 'Turnaj']),
        starts_at: new Date(testStart.getTime() + Math.floor(random() * 4 * DAY_MS)),
      }),
    'an event that is cancelled or becomes active again': () =>
      server.sql(
        `UPDATE events SET status = CASE status WHEN 'active' THEN 'cancelled' ELSE 'active' END WHERE id = $1`,
        [idOf(pick([1, 3]))],
      ),
    'a deleted event': () =>
      server.sql('DELETE FROM events WHERE id = (SELECT max(id) FROM events WHERE id > $1)', [idOf(5)]),
    'an event that a moderator removes or restores': () =>
      server.sql('UPDATE all_events SET removed_at = CASE WHEN removed_at IS NULL THEN now() END WHERE id = $1', [
        idOf(pick([0, 2])),
      ]),
    'a series that a moderator removes or restores': () =>
      server.sql('UPDATE all_series SET removed_at = CASE WHEN removed_at IS NULL THEN now() END WHERE id = $1', [
        seriesId,
      ]),
    'a group that a moderator removes or restores': () =>
      server.sql('UPDATE all_groups SET removed_at = CASE WHEN removed_at IS NULL THEN now() END WHERE id = $1', [
        groupId,
      ]),
    'a group that becomes private or public': () =>
      server.sql('UPDATE all_groups SET is_public = NOT is_public WHERE id = $1', [groupId]),
    'a person who joins or leaves a group': () =>
      pick([true, false])
        ? server.sql(
            `INSERT INTO group_members (group_id, user_id, role, joined_at, created_at) VALUES ($1, $2, 'member', now(), now()) ON CONFLICT DO NOTHING`,
            [groupId, petr.userId],
          )
        : server.sql('DELETE FROM group_members WHERE group_id = $1 AND user_id = $2', [groupId, petr.userId]),
    'a first occurrence that a moderator removes or restores': () =>
      server.sql(
        'UPDATE all_events SET removed_at = CASE WHEN removed_at IS NULL THEN now() END WHERE id = (SELECT min(id) FROM all_events WHERE series_id = $1)',
        [seriesId],
      ),
    'another title of an occurrence': () =>
      server.sql('UPDATE events SET title = $2 WHERE id = $1', [occurrence, pick(['Piknik každý týden', 'Jinak'])]),
    'the job discover-sweep': () => server.job('discover-sweep'),
    'a clock that moves by minutes': () =>
      server.clock.freezeAt(new Date(server.clock.now().getTime() + pick([1, 60_000, 4 * 60_000]))),
    'a clock that moves by hours': () => freezeHoursAfterStart(pick([0, 1, 4, 9, 21, 27, 45, 90])),
    nothing: () => undefined,
  };

  it('show every change of an event', async () => {
    random = mulberry(7);
    await compareAll('the beginning');
    for (const [name, cause] of Object.entries(CAUSES)) {
      // Each cause is applied twice, because some causes undo their change the second time.
      for (let time = 1; time <= 2; time++) {
        await cause();
        const some = requests().filter(([who]) => who === petr || random() < 0.15);
        const texts = new Map<string, string>();
        await Promise.all(
          some.map(async ([who, path]) => {
            const text = await compare(`${name}, ${time}`, who, path);
            if (who === petr) texts.set(path, text);
          }),
        );
        await compareListWithSingleEvents(`${name}, ${time}`, petr, texts);
      }
    }
  }, 120_000);

  it('show a change after its commit, even if the transaction was open during an earlier request', async () => {
    await compareAll('the beginning');
    await otherSession.query('BEGIN');
    await otherSession.query(`UPDATE events SET title = title || ' dnes' WHERE id = ANY($1)`, [[idOf(0), idOf(5)]]);
    await otherSession.query(`UPDATE events SET boosted_until = $2 WHERE id = $1`, [
      idOf(0),
      new Date(testStart.getTime() + DAY_MS),
    ]);
    await compareAll('a change in an open transaction');
    await buildEvent(server, jana, { title: 'Mezitím', starts_at: new Date(testStart.getTime() + DAY_MS) });
    await compareAll('a new event during the open transaction');
    await otherSession.query('COMMIT');
    await compareAll('the commit');
    await compareAll('nothing');
  }, 60_000);

  it(`show every change in random sequences of ${STEPS} changes (sequences: ${HISTORIES})`, async () => {
    const history = fc.record({
      seed: fc.nat(),
      causes: fc.array(fc.constantFrom(...Object.keys(CAUSES)), { minLength: STEPS, maxLength: STEPS }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, causes }) => {
        random = mulberry(seed);
        const all = requests();
        const followed = Array.from({ length: 5 }, () => pick(all));
        for (const name of causes) {
          await CAUSES[name]!();
          await Promise.all(followed.map(([who, path]) => compare(name, who, path)));
          await compareListWithSingleEvents(name, followed[0]![0]);
        }
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
  }, 600_000);
});

/** Pseudorandom numbers from 0 to below 1. The same seed gives the same numbers. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { TestServer } from '#testing/test-server';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';

/** So many have the word that a list of them is scanned in its order; the other word is rare. */
const COMMON = 2_100;
const RARE = 70;
const PER_PAGE = 10;

const KINDS = ['renamed', 'named', 'moved', 'boosted', 'no boost', 'cancelled', 'deleted', 'new', 'blocked', 'not blocked', 'banned', 'later', 'nothing'] as const;

interface Change {
  readonly kind: (typeof KINDS)[number];
  /** Of the events in their order, or of the people who organize them. */
  readonly which: number;
  readonly hours: number;
}

const changes = fc.record<Change>({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(25),
  hours: fc.integer({ min: 1, max: 40 }),
});

/** The first events of a search are remembered (docs/adr/0007-totals.md), and are the first of what there is, whatever happens between two who ask. */
describe('the beginning of a search', () => {
  let server: TestServer;
  let viewers: Person[];
  let organizers: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    const { jana, eva, adam, petr, ota } = await server.people('jana', 'eva', 'adam', 'petr', 'ota');
    [viewers, organizers] = [[petr, ota], [jana, eva, adam, ota]];
    await server.sql(
      `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, boosted_until, created_at, updated_at)
       SELECT ($1::bigint[])[1 + g % 4], CASE WHEN g % $2 = 0 THEN 'Koncert a beseda ' ELSE 'Beseda ' END || g, 'culture', now() + g * interval '1 hour', true, 'open', false, false,
              CASE WHEN g % 300 = 7 THEN now() + g * interval '10 minutes' END, now(), now() FROM generate_series(1, $3::integer) g`,
      [organizers.map(({ userId }) => userId), Math.floor(COMMON / RARE), COMMON],
    );
  });
  afterAll(() => server.stop());

  const rowOf = async (which: number): Promise<string> =>
    (await server.sql<{ id: string }>('SELECT id FROM live_events WHERE over_at > $1 ORDER BY starts_at, id LIMIT 1 OFFSET $2', [server.clock.now(), which]))[0]?.id ?? '0';

  async function change({ kind, which, hours }: Change): Promise<void> {
    const id = await rowOf(which);
    const set = (what: string, ...values: unknown[]) => server.sql(`UPDATE events SET ${what} WHERE id = $1`, [id, ...values]);
    const [organizer, viewer] = [organizers[which % 3] as Person, viewers[which % 2] as Person];
    const done: Record<Change['kind'], () => unknown> = {
      renamed: () => set(`title = 'Jinak'`),
      named: () => set(`title = 'Koncert a beseda'`),
      moved: () => set(`starts_at = starts_at + $2 * interval '1 hour'`, hours),
      boosted: () => set(`boosted_until = $2::timestamptz + $3 * interval '1 hour'`, server.clock.now(), hours),
      'no boost': () => server.sql('UPDATE events SET boosted_until = NULL WHERE id = (SELECT id FROM live_events WHERE boosted_until > $1 ORDER BY starts_at LIMIT 1)', [server.clock.now()]),
      cancelled: () => set(`status = 'cancelled', cancelled_at = now()`),
      deleted: () => server.sql('DELETE FROM events WHERE id = $1', [id]),
      new: () => server.sql(
        `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
         VALUES ($1, 'Koncert a beseda', 'culture', $2::timestamptz + $3 * interval '1 hour', true, 'open', false, false, now(), now())`, [organizer.userId, server.clock.now(), hours]),
      blocked: () => server.sql('INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [organizer.userId, viewer.userId]),
      'not blocked': () => server.sql('DELETE FROM user_blocks WHERE blocked_id = $1', [viewer.userId]),
      banned: () => server.sql(
        `INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
         SELECT id, $2, 'banned', now(), now(), now() FROM events WHERE id = $1 AND organizer_id <> $2 ON CONFLICT DO NOTHING`, [id, viewer.userId]),
      later: () => server.clock.forward(hours * 600_000),
      nothing: () => undefined,
    };
    await done[kind]();
  }

  /** Said as plainly as can be. */
  async function expected(viewer: Person, word: string, page: number): Promise<string[]> {
    const rows = await server.sql<{ title: string; starts_at: Date }>(
      `SELECT title, starts_at FROM events
        WHERE is_public AND status = 'active' AND over_at > $2 AND title ILIKE '%' || $3 || '%' AND organizer_id <> $1
          AND organizer_id NOT IN (SELECT blocker_id FROM user_blocks WHERE blocked_id = $1)
          AND id NOT IN (SELECT event_id FROM participations WHERE user_id = $1 AND status = 'banned')
        ORDER BY coalesce(boosted_until > $2, false) DESC, starts_at, id LIMIT $4 OFFSET $5`,
      [viewer.userId, server.clock.now(), word, PER_PAGE, (page - 1) * PER_PAGE]);
    return rows.map(({ title, starts_at }) => `${title} ${starts_at.toISOString().slice(0, 19)}`);
  }

  async function shown(viewer: Person, word: string, page: number): Promise<string[]> {
    const { body } = await viewer.api.get(`/discover/events?q=${word}&per_page=${PER_PAGE}&page=${page}`);
    return (body.data as { title: string; starts_at: string }[]).map(({ title, starts_at }) => `${title} ${starts_at.slice(0, 19)}`);
  }

  // DISC-1, DISC-14
  it('is the list’s, whatever has changed since the one before asked', async () => {
    const sequences = fc.sample(fc.array(changes, { minLength: 20, maxLength: 20 }), repetitions('searches'));
    for (const sequence of sequences) {
      for (const one of sequence) {
        await change(one);
        for (const viewer of viewers) {
          for (const word of ['beseda', 'koncert']) {
            server.clock.standAt(server.clock.now());
            for (const page of [1, 3, 1]) expect([one, word, page, await shown(viewer, word, page)]).toEqual([one, word, page, await expected(viewer, word, page)]);
          }
        }
      }
    }
  }, 120_000);

  /** The names of the statements that the first page of a word's search is made by. */
  async function statements(viewer: Person, word: string): Promise<string[]> {
    const asked = jest.spyOn(server.database, 'rows');
    await shown(viewer, word, 1);
    const names = asked.mock.calls.map(([{ name }]) => name).filter((name) => name.startsWith('discover_'));
    asked.mockRestore();
    return names;
  }
  /** A moment after something has changed nobody looks for it anew. */
  async function remembered(viewer: Person, word: string): Promise<string[]> {
    let names = await statements(viewer, word);
    for (let i = 0; i < 200 && !(names.length === 1 && names[0]?.includes('_head_')); i++) {
      await pause(50);
      names = await statements(viewer, word);
    }
    return names;
  }

  /** What was drawn may hide so many of the sixty from a viewer that no page of ten is left of them: it is then made without them, each time. */
  async function hideNothing(): Promise<void> {
    for (const table of ['user_blocks', 'participations']) await server.sql(`DELETE FROM ${table}`);
  }

  it('is read from what is remembered as long as nothing has changed', async () => {
    const [viewer] = viewers as [Person];
    await hideNothing();
    for (const word of ['beseda', 'koncert']) {
      const names = await remembered(viewer, word);
      expect(names).toEqual([expect.stringMatching(/_head_words$/)]);
      expect(await statements(viewer, word)).toEqual(names);
    }
  });

  // What is drawn seldom finds a beginning that is remembered: that takes a moment without changes.
  it('is remembered no more as soon as an event is boosted, or no longer', async () => {
    const [viewer] = viewers as [Person];
    await hideNothing();
    await server.sql('UPDATE events SET boosted_until = NULL');
    const [later] = await server.sql<{ id: string }>(
      `SELECT id FROM live_events WHERE over_at > $1 AND folded LIKE '%beseda%' ORDER BY starts_at LIMIT 1 OFFSET 30`, [server.clock.now()]);
    server.clock.standAt(server.clock.now());
    for (const until of [new Date(+server.clock.now() + 3_600_000), null]) {
      expect(await remembered(viewer, 'beseda')).toEqual([expect.stringMatching(/_head_words$/)]);
      const before = await shown(viewer, 'beseda', 1);
      await server.sql('UPDATE events SET boosted_until = $2 WHERE id = $1', [later?.id, until]);
      const now = await expected(viewer, 'beseda', 1);
      expect(now).not.toEqual(before);
      expect(await shown(viewer, 'beseda', 1)).toEqual(now);
    }
  });
});

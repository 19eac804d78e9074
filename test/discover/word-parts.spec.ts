import { DataSource } from 'typeorm';
import { LiveEventsJob } from '#areas/discover/live-events.job';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { WordsCounted0550 } from '#migrations/0550-words-counted';

/**
 * docs/adr/0006-live-events.md: a job counts the words of listed events some time after the events were written. A
 * search has the same results before and after the job has run.
 */
describe('searching for parts of words in Discover', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.sql('DELETE FROM events');
    await sweep();
  });

  const sweep = () =>
    server.app.get(LiveEventsJob).run({ now: server.clock.now(), signal: new AbortController().signal });
  const words = async (): Promise<string[]> =>
    (await server.sql<{ word: string }>('SELECT word FROM live_words ORDER BY word')).map(({ word }) => word);

  const counts = () =>
    server.sql(
      'SELECT word AS what, events FROM live_words UNION ALL SELECT gram, events FROM live_grams WHERE events <> 0 ORDER BY 1, 2',
    );

  const LONG = `${'x'.repeat(99)}qyw`;
  const TITLES = [
    'Výlet v Praze',
    'Straße a ß',
    'Žďár',
    'жук и я',
    'v parku',
    'Pod parkem',
    `Dlouhé ${LONG}`,
    'a b',
    'ab',
    '★',
  ];
  const PARTS = [
    'ž',
    'xq',
    'qx',
    'ss',
    'ß',
    'yw',
    'v p',
    'park',
    'rku v',
    'arkem a',
    'praze a',
    'v praz',
    'ar',
    'жу',
    'я',
    'a b',
    'b',
    'u',
    'výlet v p',
    'ylet v',
    'sse a',
    '́',
  ];
  const fold = (text: string): string =>
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();

  /**
   * The titles that `q` must find. `park` finds titles with a word that begins with `park`. Every other query with
   * letters has a word of one or two characters, so it finds titles that contain the query anywhere. The query without
   * letters (an accent) counts as absent, so it finds all titles (DISC-7).
   */
  const expectedTitles = (q: string): string[] =>
    TITLES.filter((title) =>
      q === 'park'
        ? fold(title)
            .split(' ')
            .some((word) => word.startsWith(q))
        : fold(title).includes(fold(q)),
    ).sort();
  const titlesFor = async (q: string): Promise<string[]> => {
    const { body } = await petr.api.get(`/discover/events?q=${encodeURIComponent(q)}`);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ title }: { title: string }) => title).sort();
  };
  const createEvent = (title: string) =>
    buildEvent(server, jana, { title, description: '', location_name: null, location_address: null });
  /** Sets the clock back, so that the server counts again: it does not use totals that were counted at a later time. */
  const forgetTotals = (seconds = 1): void => server.clock.forward(-seconds * 1_000);

  // DISC-6, DISC-7
  it.each([
    ['not yet', false],
    ['already', true],
  ])('finds events whose words were %s counted', async (_, counted) => {
    for (const title of TITLES) await createEvent(title);
    if (counted) await sweep();
    forgetTotals();
    for (const q of PARTS) expect([q, await titlesFor(q)]).toEqual([q, expectedTitles(q)]);
  });

  // DISC-7, DISC-14
  it('uses the stored counts only for a text of one or two letters or digits', async () => {
    await createEvent('Kvíz m² 5');
    await sweep();
    const total = async (q: string) =>
      (await server.sql<{ n: string | null }>('SELECT f_gram_total($1, now()) AS n', [q]))[0]?.n;
    for (const q of ['m', 'Kv', ' í', '5']) expect([q, await total(q)]).toEqual([q, '1']);
    for (const q of ['m²', 'm!', '⑴', 'ŉ', 'm 5', 'm ❶', 'kví']) expect([q, await total(q)]).toEqual([q, null]);
  });

  // DISC-7, DISC-14
  it('uses the current text and returns the exact total, even before the job has counted the words', async () => {
    const event = await createEvent('Kvíz');
    await sweep();
    expect(await words()).toEqual(['kviz']);
    expect([await titlesFor('kv'), await titlesFor('čt')]).toEqual([['Kvíz'], []]);
    await server.sql(`UPDATE events SET title = 'Čtení' WHERE id = $1`, [event.eventId]);
    forgetTotals();
    expect([await titlesFor('kv'), await titlesFor('čt')]).toEqual([[], ['Čtení']]);
    await sweep();
    forgetTotals();
    expect([await titlesFor('kv'), await titlesFor('čt'), await words()]).toEqual([[], ['Čtení'], ['cteni']]);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    forgetTotals();
    expect(await titlesFor('čt')).toEqual([]);
    await sweep();
    expect([await words(), await server.sql('SELECT gram FROM live_grams WHERE events <> 0')]).toEqual([[], []]);
  });

  it('does not count words of ended events that are still in live_events', async () => {
    await buildEvent(server, jana, { title: 'Kvíz', starts_at: inDays(-1), ends_at: inDays(-0.5) });
    expect(
      await server.sql(`SELECT f_gram_total('kv', $1) AS n, f_gram_total('kví', $1) AS other`, [server.clock.now()]),
    ).toEqual([{ n: '0', other: null }]);
    expect(await server.sql(`SELECT f_gram_total('kv', $1) AS n`, [inDays(-0.7)])).toEqual([{ n: '1' }]);
  });

  it('leaves new words in the list of pending entries of the index until the job merges this list', async () => {
    /** Merges the list of pending entries, and returns the number of pages that it had. */
    const mergePendingPages = async () =>
      (await server.sql<{ pages: number }>(`SELECT gin_clean_pending_list('live_events_words')::integer AS pages`))[0]
        ?.pages;
    await createEvent('Kvíz');
    expect(await mergePendingPages()).toBeGreaterThan(0);
    await createEvent('Běh');
    await sweep();
    expect(await mergePendingPages()).toBe(0);
  });

  it('gets the same word counts from the job, which counts single changes, as from a full recount', async () => {
    for (const title of TITLES) await createEvent(title);
    // These texts have more characters than the job counts in one transaction.
    await server.sql(
      `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT $1, 'Slova', (SELECT string_agg('w' || w % (g * 100), ' ') FROM generate_series(1, 900) w), 'sport', now() + interval '1 day', true, 'open', false, false, now(), now()
         FROM generate_series(1, 16) g`,
      [jana.userId],
    );
    await sweep();
    const before = await counts();
    await server.sql('SELECT live_words_recount()');
    expect(await counts()).toEqual(before);
    expect(before.length).toBeGreaterThan(60);
  });

  it('gets the same word counts from the migration of a database without counts as from a full recount', async () => {
    for (const title of TITLES) await createEvent(title);
    await server.sql('TRUNCATE live_words, live_grams');
    await new WordsCounted0550().up(server.app.get(DataSource).createQueryRunner());
    const migrated = await counts();
    await sweep();
    expect(await counts()).toEqual(migrated);
    await server.sql('SELECT live_words_recount()');
    expect(await counts()).toEqual(migrated);
    expect(migrated.length).toBeGreaterThan(60);
  });

  it('returns correct pages and totals for frequent and for rare parts of words, before and after the words are counted', async () => {
    for (let from = 0; from < 2_500; from += 500)
      await server.sql(
        `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT $1, CASE WHEN g % 1000 = 7 THEN 'Kvíz' ELSE 'Běh' END || ' ' || g, '', 'sport', now() + g * interval '1 minute', true, 'open', false, false, now(), now()
         FROM generate_series($2::integer + 1, $2 + 500) g`,
        [jana.userId, from],
      );
    for (const counted of [false, true]) {
      if (counted) await sweep();
      forgetTotals();
      const { body } = await petr.api.get('/discover/events?q=be&page=3&per_page=100');
      expect([body.meta.total, body.data[0].title, body.data.length]).toEqual([2_497, 'Běh 202', 100]);
      expect((await titlesFor('ví')).length).toBe(3);
    }
  });
});

import fc from 'fast-check';
import { buildEvent, type EventOptions } from '#testing/builders';
import { haversine } from '#testing/haversine';
import { injectedGet } from '#testing/injected-get';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const NOW = new Date('2031-05-01T10:00:00Z');
const HOUR_MS = 3_600_000;
const TYPES = ['sport', 'food'] as const;
const WORDS = ['Výlet', 'výlety', 'Běh', 'kůň', 'na', 'Letné', 'u', 'řeky'];
const PLACES: readonly (readonly [number, number] | null)[] = [
  [50.08, 14.43],
  [50.1, 14.5],
  [50.3, 14.9],
  [49.2, 16.6],
  null,
];

/** The description of an event in this test, with every field that a filter uses. */
interface Sketch {
  readonly title: string;
  readonly startsInHours: number;
  readonly durationHours: number | null;
  readonly type: (typeof TYPES)[number];
  readonly imported: boolean;
  readonly seeking: boolean;
  /** Hours from NOW until the boost ends; null if the event is not boosted. */
  readonly boostedHours: number | null;
  readonly place: readonly [number, number] | null;
  /** The number of confirmed participants without the organizer. */
  readonly guestCount: number;
  readonly isPublic: boolean;
  readonly cancelled: boolean;
  /**
   * The reason why the viewer's list omits the event, or null. `own`: the viewer organizes the event. `blocked`: the
   * organizer has blocked the viewer. `banned`: the viewer is banned from the event.
   */
  readonly hidden: 'own' | 'blocked' | 'banned' | null;
}

const sketches = fc.record<Sketch>({
  title: fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 5 }).map((words) => words.join(' ')),
  startsInHours: fc.integer({ min: -8, max: 90 }),
  durationHours: fc.option(fc.integer({ min: 1, max: 12 })),
  type: fc.constantFrom(...TYPES),
  imported: fc.boolean(),
  seeking: fc.boolean(),
  boostedHours: fc.option(fc.constantFrom(-1, 2, 50), { freq: 3 }),
  place: fc.constantFrom(...PLACES),
  guestCount: fc.integer({ min: 0, max: 2 }),
  isPublic: fc.constantFrom(true, true, true, false),
  cancelled: fc.constantFrom(false, false, false, true),
  hidden: fc.constantFrom(null, null, null, 'own', 'blocked', 'banned'),
});

interface SearchCase {
  readonly q?: string;
  readonly type?: string;
  readonly source?: string;
  readonly date_from?: string;
  readonly date_to?: string;
  readonly min_participants?: number;
  readonly seeking_company?: number;
  readonly near?: { readonly lat: number; readonly lng: number; readonly radius_km: number };
  readonly page: number;
  readonly per_page: number;
}

const queries = fc.record<SearchCase>(
  {
    q: fc.constantFrom('vyl', 'vylet beh', 'na letne', 'u reky', 'ky', 'kun', 'nic takoveho', 'ylet'),
    type: fc.constantFrom(...TYPES),
    source: fc.constantFrom('community', 'editorial'),
    date_from: fc.constantFrom('2031-05-01', '2031-05-02', '2031-05-03'),
    date_to: fc.constantFrom('2031-05-03', '2031-05-04'),
    min_participants: fc.constantFrom(0, 1, 2, 3),
    seeking_company: fc.constantFrom(0, 1),
    near: fc.record({
      lat: fc.constantFrom(50.08, 49.2),
      lng: fc.constantFrom(14.43, 16.6),
      radius_km: fc.constantFrom(5, 10, 60, 200),
    }),
    page: fc.constantFrom(1, 1, 1, 2, 3, 50),
    per_page: fc.constantFrom(3, 20, 100),
  },
  { requiredKeys: ['page', 'per_page'] },
);

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The expected list, calculated in the simplest way. */
function expected(
  events: readonly (Sketch & { id: string; databaseId: number })[],
  now: Date,
  search: SearchCase,
): string[] {
  const at = (hours: number): number => NOW.getTime() + hours * HOUR_MS;
  // In May, Prague is two hours ahead of UTC.
  const day = (hours: number): string => new Date(at(hours) + 2 * HOUR_MS).toISOString().slice(0, 10);
  const boosted = (e: Sketch): boolean => e.boostedHours !== null && at(e.boostedHours) > now.getTime();
  return events
    .filter(
      // An event without an end is listed until six hours after its start.
      (e) =>
        e.isPublic && !e.cancelled && e.hidden === null && at(e.startsInHours + (e.durationHours ?? 6)) > now.getTime(),
    )
    .filter((e) => !search.q || matches(e.title, search.q))
    .filter((e) => !search.type || e.type === search.type)
    .filter((e) => !search.source || e.imported === (search.source === 'editorial'))
    .filter((e) => !search.date_from || day(e.startsInHours) >= search.date_from)
    .filter((e) => !search.date_to || day(e.startsInHours) <= search.date_to)
    .filter((e) => e.guestCount + 1 >= (search.min_participants ?? 0))
    .filter((e) => !search.seeking_company || (e.seeking && !e.imported))
    .filter(
      (e) =>
        !search.near ||
        (e.place !== null && haversine({ lat: e.place[0], lng: e.place[1] }, search.near) <= search.near.radius_km),
    )
    .sort(
      (a, b) =>
        Number(boosted(b)) - Number(boosted(a)) || a.startsInHours - b.startsInHours || a.databaseId - b.databaseId,
    )
    .map(({ id }) => id);
}

function matches(title: string, q: string): boolean {
  const words = q.split(' ');
  if (words.some((word) => word.length < 3)) return fold(title).includes(q);
  return words.every((word) =>
    fold(title)
      .split(' ')
      .some((one) => one.startsWith(word)),
  );
}

/** For random combinations of filters, compares the server's list with the list that `expected` calculates. */
describe('Discover with random combinations of filters', () => {
  let server: TestServer;
  let petr: Person;
  let organizers: Person[];
  let olga: Person;
  let guests: Person[];
  beforeAll(async () => {
    server = await TestServer.start();
    petr = await server.person('petr');
    organizers = [await server.person('jana'), await server.person('eva')];
    olga = await server.person('olga');
    await server.sql('INSERT INTO user_blocks (blocker_id, blocked_id) VALUES ($1, $2)', [olga.userId, petr.userId]);
    guests = [await server.person('host'), await server.person('druhy')];
  });
  afterAll(() => server.stop());

  async function createEvent(sketch: Sketch): Promise<Sketch & { id: string; databaseId: number }> {
    const starts_at = new Date(NOW.getTime() + sketch.startsInHours * HOUR_MS);
    const seeking = sketch.seeking && !sketch.imported && sketch.isPublic;
    const options: EventOptions = {
      title: sketch.title,
      starts_at,
      ends_at: sketch.durationHours === null ? null : new Date(starts_at.getTime() + sketch.durationHours * HOUR_MS),
      type: sketch.type,
      is_public: sketch.isPublic,
      latitude: sketch.place?.[0] ?? null,
      longitude: sketch.place?.[1] ?? null,
      seeking_company: seeking,
      max_participants: seeking ? 8 : null,
      editorial: {
        source: sketch.imported ? { name: 'GoOut', url: null } : null,
        boostedUntil: sketch.boostedHours === null ? null : new Date(NOW.getTime() + sketch.boostedHours * HOUR_MS),
      },
      with: [
        ...guests.slice(0, sketch.guestCount).map((guest) => [guest, 'confirmed'] as const),
        ...(sketch.hidden === 'banned' ? [[petr, 'banned'] as const] : []),
      ],
    };
    let organizer = organizers[sketch.guestCount % 2] as Person;
    if (sketch.hidden === 'own') organizer = petr;
    if (sketch.hidden === 'blocked') organizer = olga;
    const event = await buildEvent(server, organizer, options);
    if (sketch.cancelled) await server.sql(`UPDATE events SET status = 'cancelled' WHERE id = $1`, [event.eventId]);
    return { ...sketch, id: event.id, databaseId: event.eventId };
  }

  async function expectSameList(
    events: readonly (Sketch & { id: string; databaseId: number })[],
    search: SearchCase,
  ): Promise<void> {
    const { near, ...rest } = search;
    const query = new URLSearchParams(
      Object.entries({ ...rest, ...near }).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { status, body } = await injectedGet(server, petr, `/discover/events?${query.toString()}`);
    const all = expected(events, server.clock.now(), search);
    const page = all.slice((search.page - 1) * search.per_page, search.page * search.per_page);
    expect({ status, total: body.meta.total, ids: body.data.map(({ id }: { id: string }) => id) }).toEqual({
      status: 200,
      total: all.length,
      ids: page,
    });
  }

  // DISC-1, DISC-2, DISC-6, DISC-9, DISC-10, DISC-11, DISC-13, DISC-14
  it('lists exactly the matching events, in order, with the exact total, also after changes of events and after some hours', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sketches, { minLength: 10, maxLength: 25 }),
        fc.array(queries, { minLength: 12, maxLength: 12 }),
        async (eventSketches, searches) => {
          server.clock.moveTo(NOW.toISOString());
          await server.sql('DELETE FROM events');
          const first = eventSketches.slice(0, -5);
          let events = await Promise.all(first.map(createEvent));
          for (const query of searches) await expectSameList(events, query);
          // The same requests are sent again after events have changed, so the server must update the cached totals.
          events = [...events, ...(await Promise.all(eventSketches.slice(-5).map(createEvent)))];
          const [deleted, changed] = [events[0], events[1]];
          await server.sql('DELETE FROM events WHERE id = $1', [deleted?.databaseId]);
          await server.sql(`UPDATE events SET type = 'sport', title = 'Běh na Letné' WHERE id = $1`, [
            changed?.databaseId,
          ]);
          events = events
            .slice(1)
            .map((one) => (one === changed ? { ...one, type: 'sport' as const, title: 'Běh na Letné' } : one));
          for (const query of searches) await expectSameList(events, query);
          server.clock.forward(7 * HOUR_MS);
          for (const query of searches) await expectSameList(events, query);
        },
      ),
      { numRuns: repetitions('discover_combinations'), seed: 7 },
    );
  }, 180_000);
});

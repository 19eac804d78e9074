import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { In } from 'typeorm';
import { occurrenceStart } from '#areas/series/recurrence';
import { Series } from '#areas/series/series.entity';
import { SeriesExtendJob } from '#areas/series/series-extend.job';
import { addDays, pragueDay, pragueWallClock } from '#platform/time/prague';
import { Settings } from '#platform/config/settings';
import { buildSeries, occurrencesOf } from '#testing/series';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const DAY_MS = 86_400_000;
const EIGHT_WEEKS_MS = 56 * DAY_MS;

/** SER-6, SER-7: a new series gets the occurrences of the next 8 weeks, and a daily job adds later occurrences. */
describe('the daily job series-extend', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  // Without `next_start`, the job ignores the series of earlier tests.
  beforeEach(async () => {
    await server.sql('UPDATE series SET next_start = NULL');
  });
  afterAll(() => server.stop());

  const dayOf = (start: string) => pragueDay(new Date(start));
  const timeOf = (start: string) =>
    new Intl.DateTimeFormat('cs', { timeZone: 'Europe/Prague', hour: '2-digit', minute: '2-digit' }).format(
      new Date(start),
    );
  const indexesOf = async (series: readonly number[]) => {
    const rows = await server.sql<{ id: number; indexes: number[] }>(
      `SELECT series_id::int AS id, array_agg(series_index ORDER BY series_index) AS indexes FROM events
        WHERE series_id = ANY($1) GROUP BY 1`,
      [series],
    );
    return new Map(rows.map(({ id, indexes }) => [id, indexes]));
  };
  const starts = async (id: string) => (await occurrencesOf(jana, id)).map(({ starts_at }) => starts_at);

  // SER-6, SER-8
  it('generates occurrences 8 weeks ahead; a finite series becomes inactive when its last occurrence is generated', async () => {
    const finite = await buildSeries(server, jana, { occurrencesLimit: 10 });
    const endless = await buildSeries(server, jana);
    const active = async () => (await jana.api.get(`/series/${finite.id}`)).body.data.active;
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 0 });
    server.clock.forward(7 * DAY_MS);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 2 });
    expect(await active()).toBe(true);
    server.clock.forward(7 * DAY_MS);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 2 });
    expect(await active()).toBe(false);
    server.clock.forward(7 * DAY_MS);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 1 });
    expect([await starts(finite.id), await starts(endless.id)].map(({ length }) => length)).toEqual([10, 11]);
  });

  // SER-1, SER-10
  it('uses defaults for fields that are missing in a template stored by an earlier version', async () => {
    const { id, seriesId } = await buildSeries(server, jana);
    const before = (await jana.api.get(`/series/${id}`)).body.data;
    await server.sql(
      `UPDATE series SET template = jsonb_strip_nulls(template) - 'waitlist_mode' - 'offer_hours' WHERE id = $1`,
      [seriesId],
    );
    const defaults = { waitlist_mode: 'manual', offer_hours: 24 };
    expect(before).toMatchObject(defaults);
    expect((await jana.api.get(`/series/${id}`)).body).toEqual({ data: before });
    server.clock.forward(7 * DAY_MS);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 1 });
    expect((await occurrencesOf(jana, id)).at(-1)).toMatchObject(defaults);
  });

  // SER-6
  it('generates an occurrence exactly 56 days ahead, and no later occurrence', async () => {
    const start = new Date('2031-06-02T10:00:00Z');
    server.clock.freezeAt(new Date(start.getTime() - 1000));
    const { id } = await buildSeries(server, jana, { startsAt: start });
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 0 });
    expect(await starts(id)).toHaveLength(8);
    server.clock.freezeAt(start);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 1 });
    expect((await starts(id)).at(-1)).toBe('2031-07-28T10:00:00Z');
  });

  // SER-4
  it('keeps the wall-clock time of each occurrence over two years, even when daylight saving time begins or ends', async () => {
    server.clock.moveTo('2027-01-04T09:00:00Z');
    const evening = await buildSeries(server, jana, {
      startsAt: new Date('2027-01-05T17:30:00Z'),
      frequency: 'daily',
      durationMinutes: 45,
    });
    const night = await buildSeries(server, jana, { startsAt: new Date('2027-01-05T01:30:00Z'), frequency: 'daily' });
    const weekly = await buildSeries(server, jana, { startsAt: new Date('2027-01-10T17:00:00Z'), interval: 2 });
    const monthly = await buildSeries(server, jana, {
      startsAt: new Date('2027-01-31T23:15:00Z'),
      frequency: 'monthly',
    });
    const monthEnd = await buildSeries(server, jana, {
      startsAt: new Date('2027-01-31T09:00:00Z'),
      frequency: 'monthly',
    });
    // The job runs every fourth week, but not in weeks 40 to 51. The run in week 52 generates the missing occurrences.
    for (let week = 4; week <= 104; week += 4) {
      server.clock.moveTo(new Date(Date.UTC(2027, 0, 4 + week * 7, 9)));
      if (week < 40 || week >= 52) await server.job('series-extend');
    }
    const until = pragueDay(new Date(server.clock.now().getTime() + EIGHT_WEEKS_MS));
    const everyDay = (from: string, step: number) => {
      const days: string[] = [];
      for (let day = from; day <= until; day = addDays(day, step)) days.push(day);
      return days;
    };
    // In these two spring nights the time 02:30 does not exist; the occurrence is at 03:30.
    const springClockChanges = ['2027-03-28', '2028-03-26'];

    const inTheEvening = await occurrencesOf(jana, evening.id);
    // The job generates occurrences until 10:00 of the last day, so the occurrence on that evening does not exist yet.
    expect(inTheEvening.map(({ starts_at }) => dayOf(starts_at))).toEqual(everyDay('2027-01-05', 1).slice(0, -1));
    expect(new Set(inTheEvening.map(({ starts_at }) => timeOf(starts_at)))).toEqual(new Set(['18:30']));
    expect(
      new Set(inTheEvening.map(({ starts_at, ends_at }) => Date.parse(ends_at ?? '') - Date.parse(starts_at))),
    ).toEqual(new Set([45 * 60_000]));

    const atNight = await starts(night.id);
    expect(atNight.map(dayOf)).toEqual(everyDay('2027-01-05', 1));
    expect(atNight.filter((start) => timeOf(start) !== '02:30').map((start) => [dayOf(start), timeOf(start)])).toEqual(
      springClockChanges.map((day) => [day, '03:30']),
    );
    // In each of these two autumn nights the time 02:30 occurs twice; the occurrence is at the first 02:30.
    expect(atNight.filter((start) => ['2027-10-31', '2028-10-29'].includes(dayOf(start)))).toEqual([
      '2027-10-31T00:30:00Z',
      '2028-10-29T00:30:00Z',
    ]);

    const everyOtherSunday = await starts(weekly.id);
    expect(everyOtherSunday.map(dayOf)).toEqual(everyDay('2027-01-10', 14));
    expect(new Set(everyOtherSunday.map(timeOf))).toEqual(new Set(['18:00']));

    // These occurrences start at 00:15 on the first day of a month in Prague. In UTC this is still the previous month.
    const firsts = await starts(monthly.id);
    expect(firsts.map((start) => pragueWallClock(new Date(start)).day)).toEqual(firsts.map(() => 1));
    expect(new Set(firsts.map(timeOf))).toEqual(new Set(['00:15']));
    expect(firsts).toHaveLength(25);

    const ends = (await starts(monthEnd.id)).map(dayOf);
    expect(ends).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-31',
      '2027-08-31',
      '2027-09-30',
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2028-05-31',
      '2028-06-30',
      '2028-07-31',
      '2028-08-31',
      '2028-09-30',
      '2028-10-31',
      '2028-11-30',
      '2028-12-31',
      '2029-01-31',
    ]);
  }, 120_000);

  // SER-7
  it('generates all missing occurrences after a year without a run', async () => {
    const { id } = await buildSeries(server, jana, {
      frequency: 'daily',
      startsAt: new Date(Date.now() - 365.5 * DAY_MS),
      atMost: 1,
    });
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 365 + 56 });
    const days = (await starts(id)).map(dayOf);
    expect(days).toEqual(days.map((_, index) => addDays(days[0] ?? '', index)));
  });

  // SER-7
  it('extends all other series first if the organizer is changing a series at the same time', async () => {
    const [locked, free] = [
      await buildSeries(server, jana, { atMost: 1 }),
      await buildSeries(server, jana, { atMost: 1 }),
    ];
    let run: Promise<unknown> = Promise.resolve();
    await server.database.transaction(async (tx) => {
      await tx.manager.query('SELECT 1 FROM series WHERE id = $1 FOR UPDATE', [locked.seriesId]);
      run = server.job('series-extend');
      await waitUntil(async () => (await starts(free.id)).length >= 8);
      expect(await starts(locked.id)).toHaveLength(1);
    });
    expect(await run).toEqual({ occurrences_created: 14 });
    expect(await starts(locked.id)).toHaveLength(8);
  });

  // RETRY-19
  it('changes neither the version nor updated_at of the series and its occurrences', async () => {
    const series = [
      await buildSeries(server, jana),
      await buildSeries(server, jana, { occurrencesLimit: 9 }),
      await buildSeries(server, jana, { until: pragueDay(new Date(Date.now() + 58 * DAY_MS)) }),
    ];
    const paths: string[] = [];
    for (const { id } of series) paths.push(`/series/${id}`, `/events/${(await occurrencesOf(jana, id))[0]?.id}`);
    const before = await Promise.all(paths.map((path) => jana.api.get(path)));
    server.clock.forward(7 * DAY_MS);
    expect(await server.job('series-extend')).toEqual({ occurrences_created: 3 });
    for (const [i, path] of paths.entries()) {
      const { headers, body } = before[i]!;
      expect((await jana.api.get(path)).body.data.updated_at).toBe(body.data.updated_at);
      const ifMatch = { 'if-match': headers.get('etag') ?? '' };
      // The request contains the current title, because a new title would also change the version of the occurrences.
      const { title } = body.data as { title: string };
      const { status } = await jana.api.send('PATCH', path, { json: { title }, headers: ifMatch });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  // SER-7
  it('does not restore deleted occurrences', async () => {
    const { id } = await buildSeries(server, jana);
    const before = await occurrencesOf(jana, id);
    for (const event of [before[0], before[3], before.at(-1)]) await jana.api.delete(`/events/${event?.id}`);
    server.clock.forward(7 * DAY_MS);
    await server.job('series-extend');
    const lastGenerated = (await occurrencesOf(jana, id)).at(-1);
    await jana.api.delete(`/events/${lastGenerated?.id}`);
    server.clock.forward(7 * DAY_MS);
    await server.job('series-extend');
    await server.job('series-extend');
    const days = (await starts(id)).map(dayOf);
    const first = dayOf(before[0]?.starts_at ?? '');
    expect(days).toEqual([1, 2, 4, 5, 6, 9].map((week) => addDays(first, 7 * week)));
  });

  it('does not start a batch after it was aborted', async () => {
    await buildSeries(server, jana, { frequency: 'daily', atMost: 1 });
    const run = server.app
      .get(SeriesExtendJob)
      .run({ now: new Date(), signal: AbortSignal.abort(new Error('shutting down')) });
    await expect(run).rejects.toThrow('shutting down');
  });

  // SER-7
  it('can run ten times in parallel in two processes, without duplicate, missing or restored occurrences', async () => {
    const series: number[] = [];
    for (let i = 0; i < 130; i++) {
      const frequency = (['daily', 'weekly', 'monthly'] as const)[i % 3] ?? 'daily';
      series.push(
        (
          await buildSeries(server, jana, {
            frequency,
            interval: 1 + (i % 2),
            occurrencesLimit: i % 4 === 0 ? 70 : null,
          })
        ).seriesId,
      );
    }
    const deleted = await server.sql<{ series_id: number; series_index: number }>(
      `WITH gone AS (
         DELETE FROM events e USING series s
          WHERE e.series_id = s.id AND s.next_start IS NOT NULL AND e.series_index IN (0, s.generated - 1)
         RETURNING e.series_id::int, e.series_index
       ) SELECT * FROM gone`,
    );
    const isDeleted = (id: number, index: number) =>
      deleted.some((one) => one.series_id === id && one.series_index === index);
    const before = await indexesOf(series);
    const now = new Date(Date.now() + 130 * DAY_MS);

    const results = await extendInTwoProcesses(5, server, now);

    const after = await indexesOf(series);
    const seriesRows = await server.database.manager.findBy(Series, { id: In(series) });
    for (const one of seriesRows) {
      const expected = [...indexesDue(one, now)].filter((index) => !isDeleted(one.id, index));
      expect({ id: one.id, indexes: after.get(one.id) }).toEqual({ id: one.id, indexes: expected });
    }
    expect(seriesRows).toHaveLength(series.length);
    const count = (indexes: Map<number, number[]>) => [...indexes.values()].flat().length;
    expect(results).toHaveLength(10);
    expect(results.reduce((sum, { occurrences_created }) => sum + occurrences_created, 0)).toBe(
      count(after) - count(before),
    );
    expect(count(after) - count(before)).toBeGreaterThan(series.length);
  }, 120_000);
});

/** Yields the indexes of the occurrences that must exist at `now`. Uses only the recurrence rule. */
function* indexesDue(rule: Series, now: Date): Generator<number> {
  for (let index = 0; ; index++) {
    const start = occurrenceStart(rule, index);
    if (start === null || start.getTime() > now.getTime() + EIGHT_WEEKS_MS) return;
    yield index;
  }
}

/**
 * Starts a process. At the same moment, the new process and this process begin `runs` parallel runs of the job each.
 * Returns all results.
 */
async function extendInTwoProcesses(
  runs: number,
  server: TestServer,
  now: Date,
): Promise<{ occurrences_created: number }[]> {
  const testing = join(process.cwd(), 'libs/testing');
  const args = [
    '--conditions=events-source',
    '--require',
    join(testing, 'register-typescript.cjs'),
    join(testing, 'series-extend.process.ts'),
    server.app.get(Settings).databaseUrl ?? '',
    now.toISOString(),
    String(runs),
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  await waitUntil(() => output !== '' || child.exitCode !== null);
  child.stdin.end('go\n');
  const job = server.app.get(SeriesExtendJob);
  const results = await Promise.all(
    Array.from({ length: runs }, () => job.run({ now, signal: new AbortController().signal })),
  );
  await ended;
  return [...results, ...JSON.parse(output.split('\n')[1] ?? '[]')] as { occurrences_created: number }[];
}

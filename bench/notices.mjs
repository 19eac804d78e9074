// Measures how long it takes to write the notices about a changed time of an event, and how long the jobs for notices
// and waitlists search for work if nothing is due.
//   npm run bench -- notices [--only moved,jobs] [--people PEOPLE] [--events EVENTS]
// By default, PEOPLE is 10,000 and EVENTS is a million.
// moved: the time of an event with PEOPLE participants changes. The job `event-changes` must write all notices within
//        30 seconds, and requests of another person may take at most twice as long as at other times.
// jobs:  the statements with which the jobs find work, on a database with EVENTS events and three times as many
//        participations. Each statement must take less than 5 ms.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from './lib/load.mjs';
import { usualReads, withService } from './lib/paired.mjs';
import { verdict } from './lib/service.mjs';

const dist = (path) => createRequire(import.meta.url)(`../dist/libs/areas/${path}.js`);
const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    only: { type: 'string', default: 'moved,jobs' },
    people: { type: 'string', default: '10000' },
    events: { type: 'string', default: '1000000' },
  },
});
const ONLY = options.only.split(',');
const GOALS = { written_ms: 30_000, ratio: 2, job_ms: 5 };
const ROUNDS = 3;
/** During the measurement, at most this many requests per second are sent for one other person. */
const PER_SECOND = 100;
/**
 * The job `event-changes` runs each minute. With a quiet time of 0 seconds, its next run after a change writes the
 * notices.
 */
const SETTINGS = { JOBS: 'on', NOTICE_QUIET_SECONDS: '0' };
const rounded = (value) => Number(value.toFixed(2));

if (ONLY.includes('moved')) await withService(moved, { people: Number(options.people) + 200, events: 1_000 });
if (ONLY.includes('jobs')) await withService(jobs, { people: 3_000, events: 1_000 });

/** Changes the time of one event in each round. The notices are written at the beginning of the next minute. */
async function moved({ client, tokens, events, start }) {
  const people = Number(options.people);
  const service = await start(SETTINGS);
  const reads = usualReads(tokens.at(-1), [events.first, events.last]);
  const timings = [];
  const rounds = [];
  let isMeasuring = true;
  const reader = readSteadily(service.origin, reads, timings, () => isMeasuring);
  for (let round = 0; round < ROUNDS; round++) {
    const event = events.first + round;
    await client.query(
      `INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
       SELECT $1, id, 'confirmed', now(), now(), now() FROM users WHERE slug LIKE 'p%' ORDER BY id LIMIT $2`,
      [event, people],
    );
    await client.query('UPDATE all_events SET confirmed_count = $2 WHERE id = $1', [event, people]);
    // Like a request of the organizer, this statement also stores the times that the event had before the change. The
    // notices contain these times.
    await client.query(
      `WITH before AS (INSERT INTO event_changes (event_id, changed_at, starts_at, ends_at)
         SELECT id, now(), starts_at, ends_at FROM all_events WHERE id = $1)
       UPDATE all_events SET starts_at = starts_at + interval '1 day' WHERE id = $1`,
      [event],
    );
    rounds.push(await waitUntilNotified(client, event));
  }
  isMeasuring = false;
  await reader;
  const isDuring = ({ at, ms }) => rounds.some(({ from, to }) => at + ms >= from && at <= to);
  const [during, otherwise] = [timings.filter(isDuring), timings.filter((timing) => !isDuring(timing))];
  const mean = (list) => list.reduce((sum, { ms }) => sum + ms, 0) / list.length;
  const p95 = (list) =>
    percentile(
      list.map(({ ms }) => ms).sort((a, b) => a - b),
      0.95,
    );
  const ratio = mean(during) / mean(otherwise);
  console.table(rounds.map(({ written, from, to }) => ({ written, ms: Math.round(to - from) })));
  console.table({
    otherwise: { requests: otherwise.length, mean_ms: rounded(mean(otherwise)), p95_ms: rounded(p95(otherwise)) },
    meanwhile: { requests: during.length, mean_ms: rounded(mean(during)), p95_ms: rounded(p95(during)) },
  });
  const isComplete = rounds.every(({ written, from, to }) => written === people && to - from <= GOALS.written_ms);
  console.log(`all notices written within ${GOALS.written_ms} ms: ${verdict(isComplete)}`);
  console.log(
    `duration of other requests, meanwhile / otherwise: ${ratio.toFixed(2)} (goal ${GOALS.ratio}: ${verdict(ratio <= GOALS.ratio)})`,
  );
}

/** Waits for the notices of the event. Returns their number, and when the run of the job began and ended. */
async function waitUntilNotified(client, event) {
  const since = new Date();
  for (;;) {
    const { rows } = await client.query(
      `SELECT (extract(epoch FROM started_at) * 1000)::float8 AS from, (extract(epoch FROM finished_at) * 1000)::float8 AS to
         FROM job_runs WHERE job = 'event-changes' AND started_at >= $1 AND (result->>'events_settled')::int > 0`,
      [since],
    );
    if (rows[0]) {
      const { rows: notices } = await client.query(
        `SELECT count(*)::int AS written FROM notifications WHERE kind = 'event_changed' AND event_id = $1`,
        [event],
      );
      return { ...rows[0], ...notices[0] };
    }
    await pause(100);
  }
}

/** Sends the reads one after another, and records when each read began and how long it took. */
async function readSteadily(origin, reads, timings, isMeasuring) {
  for (let n = 0; isMeasuring(); n++) {
    const { path, token } = reads[n % reads.length];
    const [at, since] = [Date.now(), performance.now()];
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    const ms = performance.now() - since;
    // The first reads only warm up the server, so they are not recorded.
    if (n > 3 * PER_SECOND) timings.push({ at, ms });
    await pause(Math.max(0, 1_000 / PER_SECOND - ms));
  }
}

/** Measures the time of the statements with which the jobs find work. In the filled tables, nothing is due. */
async function jobs({ client }) {
  await fill(client, Number(options.events));
  const now = new Date();
  const statements = {
    'event-changes': [dist('notifications/event-changes.query').QUIET_EVENTS, [now, 200]],
    reminders: [dist('notifications/reminders.query').TAKE_DUE_EVENTS, [now, 200]],
    'joined-digest': [dist('participation/digests.query').DUE_DIGESTS, [now, 200]],
    'offers-sweep': [dist('participation/waitlist/waitlist.query').EVENTS_WITH_SEATS_DUE, [now, 200]],
  };
  const table = {};
  for (const [job, [{ text }, values]] of Object.entries(statements)) {
    const times = [];
    let plan;
    for (let n = 0; n < 6; n++) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
      plan = rows[0]['QUERY PLAN'][0];
      // The first execution reads from the disk, so its time is not counted.
      if (n > 0) times.push(plan['Execution Time']);
    }
    const longest = Math.max(...times);
    table[job] = {
      planning_ms: plan['Planning Time'],
      longest_ms: longest,
      blocks: plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'],
      rows: plan.Plan['Actual Rows'],
      goal: verdict(longest < GOALS.job_ms),
    };
  }
  console.table(table);
}

/**
 * Fills the tables directly, without triggers. One event in twenty is in the future. One event in fifty, past or
 * future, is full and has a waitlist to which free seats are offered; in a quarter of the future events of this kind,
 * one seat is already offered. One event in a thousand waits for the end of NOTICE_QUIET_SECONDS, and one in a thousand
 * for its next digest (NOTE-16).
 */
async function fill(client, events) {
  const run = (sql) => client.query(sql);
  const upcoming = events / 20;
  await run('SET session_replication_role = replica');
  await run(`INSERT INTO all_events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled,
                waitlist_mode, max_participants, confirmed_count, offers_count, created_at, updated_at)
    SELECT (SELECT id FROM users WHERE slug = 'jana'), 'Piknik ' || i, 'Přijďte.', 'food', now() + (CASE WHEN i <= ${upcoming} THEN i + 4000 ELSE ${upcoming} - i END) * interval '1 minute',
           true, 'open', false, false, CASE WHEN i % 50 = 0 THEN 'offer' ELSE 'manual' END, CASE WHEN i % 50 = 0 THEN CASE WHEN i <= ${upcoming} AND i % 200 = 0 THEN 3 ELSE 2 END END,
           CASE WHEN i % 50 = 0 THEN 1 ELSE 3 END, CASE WHEN i <= ${upcoming} AND i % 200 = 0 THEN 1 ELSE 0 END, now(), now()
      FROM generate_series(1, ${events}) i`);
  await run(`INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at, waitlist_number, offer_expires_at)
    SELECT e.id, (SELECT min(id) FROM users) + (e.id * 7 + n * 131) % 3000,
           CASE WHEN e.waitlist_mode = 'offer' AND n > 0 THEN 'waitlisted' ELSE 'confirmed' END,
           now(), now(), now(), CASE WHEN e.waitlist_mode = 'offer' AND n > 0 THEN n END,
           CASE WHEN e.offers_count > 0 AND n = 1 THEN now() + interval '1 day' END
      FROM all_events e, generate_series(0, 2) n WHERE e.description = 'Přijďte.'
    ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO event_reminders (event_id, start_set_at, look_at)
    SELECT id, updated_at, starts_at - interval '48 hours' FROM all_events WHERE starts_at > now() + interval '50 hours' AND description = 'Přijďte.' ON CONFLICT DO NOTHING`);
  // The events that `withService` has created start soon, so their reminders would be due.
  await run(`DELETE FROM event_reminders WHERE look_at < now()`);
  await run(`INSERT INTO event_changes (event_id, changed_at, starts_at)
    SELECT id, now() + interval '1 hour', starts_at FROM all_events WHERE id % 1000 = 7`);
  await run(`UPDATE participations SET digest = 'joined' WHERE event_id % 1000 = 9 AND status = 'confirmed'`);
  await run(`INSERT INTO event_digests (event_id, kind, written_at)
    SELECT id, 'joined', now() + interval '1 minute' FROM all_events WHERE id % 1000 = 9`);
  await run('RESET session_replication_role');
  await run('VACUUM (ANALYZE)');
  for (const [what, sql] of Object.entries({
    events: 'SELECT count(*) FROM all_events',
    participations: 'SELECT count(*) FROM participations',
    'open offers': 'SELECT count(*) FROM participations WHERE offer_expires_at IS NOT NULL',
    'marked for a digest': 'SELECT count(*) FROM participations WHERE digest IS NOT NULL',
  }))
    console.log(`${what}: ${(await run(sql)).rows[0].count}`);
}

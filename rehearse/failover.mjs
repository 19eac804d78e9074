// The primary of three PostgreSQL servers (Patroni, synchronous replication) is killed repeatedly while people write.
// Each time, Patroni and PostgreSQL of the primary are killed (kill -9), as if its machine failed. The service is not
// restarted, and no acknowledged write may be lost.
//   npm run rehearse -- failover [--times 4] [--break]
import { TextDecoderStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { faultyProxy } from './lib/faults.mjs';
import { cli, environment, populate, sql, startServer } from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { startPatroni } from './lib/patroni.mjs';
import { folder, freePort, options, rehearse, until } from './lib/programs.mjs';

const { times: TIMES, isBroken } = options(
  'failover',
  { times: 4 },
  'one comment is acknowledged but not stored, as if the primary had not waited for a standby',
);
/** Number of requests that the load sends per second. */
const PER_SECOND = 50;
/** Number of requests before the first takeover. */
const REQUESTS_BEFORE = 1_000;
/** While this many requests have no response, the load sends no further requests. */
const MAX_IN_PROGRESS = 40;
/**
 * Milliseconds in which a response must be complete. A request waits up to six seconds for a database before it gets a
 * 503.
 */
const LIMIT_MS = 12_000;
/** Number of acknowledged writes after which the service counts as working again. */
const WRITES_AFTER_TAKEOVER = 100;
/**
 * The 95th percentile of the latency after the takeovers may be at most this many times the percentile before the first
 * takeover. After a takeover, caches are empty, and the previous primary copies the WAL that it has missed.
 */
const MAX_LATENCY_RATIO = 20;

await rehearse('failover', { maxMinutes: 25 }, async () => {
  const patroni = await startPatroni();
  const env = environment(patroni.url, folder('data'));
  const people = await populate(env);
  const servers = await Promise.all([await freePort(), await freePort()].map((port) => startServer(env, port)));
  const origins = servers.map(({ origin }) => origin);
  const bothReturn = async (status) =>
    (
      await Promise.all(
        origins.map((origin) =>
          fetch(`${origin}/health/ready`).then(
            (answer) => answer.status,
            () => 0,
          ),
        ),
      )
    ).every((one) => one === status);

  const {
    meta: { cursor },
  } = await fetch(`${origins[0]}/api/v1/changes`, { headers: { authorization: `Bearer ${people.tokens[0]}` } }).then(
    (answer) => answer.json(),
  );
  const stream = follow(origins[0], people.tokens[0], cursor);
  const proxy = await faultyProxy(origins[0]);
  const load = startLoad(isBroken ? [proxy.origin] : origins, people, {
    perSecond: PER_SECOND,
    limitMs: LIMIT_MS,
    retries: true,
    maxInProgress: MAX_IN_PROGRESS,
  });
  await load.sent(REQUESTS_BEFORE);
  const secondsAway = [];
  for (let time = 0; time < TIMES; time++) {
    load.phase('takeover');
    const primary = await patroni.primary();
    await patroni.kill(primary);
    const since = performance.now();
    await until('status 503 of both servers', () => bothReturn(503));
    const next = await patroni.primary(primary);
    await until('ready again', () => bothReturn(200));
    secondsAway.push(Math.round((performance.now() - since) / 100) / 10);
    // The latencies of the phases `before` and `during` are compared. The requests of the takeover must end before the
    // phase `during` begins, because a response counts in the phase in which it arrives.
    await load.pause();
    load.resume();
    load.phase('during');
    if (isBroken && time === 0) proxy.fault = 'lost';
    await load.wrote(WRITES_AFTER_TAKEOVER);
    console.error(`${time + 1} of ${TIMES}: ${primary} died, ${next} took over after ${secondsAway.at(-1)} s`);
    await patroni.start(primary);
    await patroni.untilSynchronous();
  }
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });

  const [{ stored }] = await sql(
    patroni.urlOf(await patroni.primary()),
    `SELECT count(*)::int AS stored FROM comments WHERE event_id = (SELECT id FROM events WHERE title = 'Piknik 0')`,
  );
  // Counts only comments on the event of the person who reads the stream. The stream also has entries for comments on
  // events that the person joined.
  const streamedCount = () =>
    stream.entries.filter(({ type, subject }) => type === 'comment.created' && subject.event === people.events[0])
      .length;
  await until('the stream of changes at its end', () => streamedCount() >= stored, 20_000).catch(() => undefined);
  stream.end();
  const doctor = await cli(env, ['doctor']);
  const ended = servers.filter((server) => server.isOver()).length;
  return {
    ...figures,
    passed: figures.passed && stored > 0 && streamedCount() === stored && ended === 0 && doctor.database.ok,
    times: TIMES,
    seconds_away: secondsAway,
    comments_of_stream: stored,
    missed_by_stream: stored - streamedCount(),
    streams: stream.count(),
    servers_ended: ended,
  };
});

/** Follows a person's stream of changes. After its end, the stream is opened again at the last received cursor. */
function follow(origin, token, cursor) {
  const entries = [];
  const ending = new AbortController();
  let count = 0;
  const reading = (async () => {
    while (!ending.signal.aborted) {
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      const answer = await fetch(`${origin}/api/v1/changes?cursor=${cursor}`, { headers, signal: ending.signal }).catch(
        () => null,
      );
      if (answer?.status !== 200) {
        await pause(300);
        continue;
      }
      count++;
      let rest = '';
      try {
        for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
          const blocks = (rest + part).split('\n\n');
          rest = blocks.pop();
          for (const block of blocks) {
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data === undefined) continue;
            entries.push(JSON.parse(data));
            cursor = entries.at(-1).cursor;
          }
        }
      } catch {
        // The stream has ended. The next stream begins at the last cursor.
      }
    }
  })();
  return { entries, count: () => count, end: () => (ending.abort(), reading) };
}

// Three PostgreSQL servers kept by Patroni, synchronously: the primary's machine dies (kill -9 of all) again and again while people write. No restart, nothing acknowledged is lost.
//   npm run rehearse -- failover [--times 4]
import { TextDecoderStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cli, environment, populate, sql, startServer } from './lib/installation.mjs';
import { startPatroni } from './lib/patroni.mjs';
import { folder, freePort, rehearse, until } from './lib/programs.mjs';

const {
  values: { times },
} = parseArgs({ options: { times: { type: 'string', default: '4' } } });
const TIMES = Number(times);
/** People who comment, below their limit per minute, and people who change their own event as fast as possible. */
const COMMENTERS = 12;
const EDITORS = 8;
const BETWEEN_COMMENTS = 6_500;
const BETWEEN_EDITS = 50;
/** Writes after which it counts as going on. */
const ENOUGH = 100;

await rehearse('failover', 15, async () => {
  const patroni = await startPatroni();
  const env = environment(patroni.url, folder('data'));
  const { tokens, events } = await populate(env);
  const servers = await Promise.all([await freePort(), await freePort()].map((port) => startServer(env, port)));
  const origins = servers.map(({ origin }) => origin);

  const figures = { acknowledged: 0, unavailable: 0, in_progress: 0, others: 0 };
  const others = [];
  /**
   * Returns whether it was done. The only other allowed responses are 503 with Retry-After, and the one for the same
   * key in progress.
   */
  const ask = async (n, method, path, body, key) => {
    const headers = {
      authorization: `Bearer ${tokens[n]}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    };
    const answer = await fetch(`${origins[n % origins.length]}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }).catch((error) => ({ status: String(error), headers: new Map(), text: async () => '' }));
    const text = await answer.text();
    if (answer.status === 200 || answer.status === 201) {
      figures.acknowledged++;
      return true;
    }
    const mayAskAgain = Number(answer.headers.get('retry-after')) > 0;
    if (answer.status === 503 && mayAskAgain) figures.unavailable++;
    // The first with this key was a 503 to its sender while its commit still waits for a standby.
    else if (key && answer.status === 409 && mayAskAgain && text.includes('"request_in_progress"'))
      figures.in_progress++;
    else {
      figures.others++;
      if (others.length < 10) others.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    }
    await pause(200);
    return false;
  };

  const {
    meta: { cursor },
  } = await fetch(`${origins[0]}/api/v1/changes`, { headers: { authorization: `Bearer ${tokens[0]}` } }).then(
    (answer) => answer.json(),
  );
  const stream = follow(origins[0], tokens[0], cursor);
  let isOver = false;
  const comments = [];
  const titles = new Map();
  const writers = [
    // With a key, again and again until it is acknowledged: each is there once.
    ...Array.from({ length: COMMENTERS }, async (_, n) => {
      for (let i = 0; !isOver; i++) {
        const body = `comment ${n} ${i}`;
        const key = `${body.replaceAll(' ', '-')}-of-a-rehearsal`;
        while (!(await ask(n, 'POST', `/events/${events[n]}/comments`, { body }, key)));
        comments.push(body);
        for (let waited = 0; waited < BETWEEN_COMMENTS && !isOver; waited += 100) await pause(100);
      }
    }),
    // Without: the one that is there is the last that was acknowledged, or one that was tried after it.
    ...Array.from({ length: EDITORS }, async (_, i) => {
      const n = COMMENTERS + i;
      for (let edit = 1; !isOver; edit++) {
        if (await ask(n, 'PATCH', `/events/${events[n]}`, { title: `Title ${edit} of ${n}` })) titles.set(n, edit);
        await pause(BETWEEN_EDITS);
      }
    }),
  ];
  const lostTitles = async () => {
    const acknowledged = new Map(titles);
    const rows = await sql(
      patroni.urlOf(await patroni.primary()),
      `SELECT title FROM events WHERE title LIKE 'Title % of %'`,
    );
    const there = new Map(
      rows.map(({ title }) => /Title (\d+) of (\d+)/.exec(title).slice(1).map(Number)).map(([edit, n]) => [n, edit]),
    );
    return [...acknowledged].filter(([n, edit]) => !(there.get(n) >= edit)).length;
  };
  const goesOn = async (what) => {
    const from = figures.acknowledged;
    await until(what, () => figures.acknowledged - from >= ENOUGH);
  };

  let lost = 0;
  const away = [];
  await goesOn('writes');
  for (let time = 0; time < TIMES; time++) {
    const primary = await patroni.primary();
    await patroni.kill(primary);
    const since = performance.now();
    await until('503 meanwhile', async () =>
      (
        await Promise.all(
          origins.map((origin) =>
            fetch(`${origin}/health/ready`).then(
              ({ status }) => status,
              () => 0,
            ),
          ),
        )
      ).every((status) => status === 503),
    );
    const next = await patroni.primary(primary);
    lost += await lostTitles();
    const ready = async () =>
      (
        await Promise.all(
          origins.map((origin) =>
            fetch(`${origin}/health/ready`).then(
              ({ status }) => status,
              () => 0,
            ),
          ),
        )
      ).every((status) => status === 200);
    await until('ready again', ready);
    away.push(Math.round((performance.now() - since) / 100) / 10);
    await goesOn('writes again');
    console.error(`${time + 1} of ${TIMES}: ${primary} died, ${next} took over after ${away.at(-1)} s`);
    await patroni.start(primary);
    await patroni.untilSynchronous();
  }
  isOver = true;
  await Promise.all(writers);

  lost += await lostTitles();
  const url = patroni.urlOf(await patroni.primary());
  const kept = new Map(
    (await sql(url, 'SELECT body, count(*)::int AS times FROM comments GROUP BY body')).map(
      ({ body, times: often }) => [body, often],
    ),
  );
  const lostComments = comments.filter((body) => !kept.has(body)).length;
  const doubled = [...kept.values()].filter((often) => often !== 1).length;
  const own = comments.filter((body) => body.startsWith('comment 0 ')).length;
  const told = () => stream.entries.filter(({ type }) => type === 'comment.created').length;
  await until('the stream of changes at its end', () => told() >= own, 20_000).catch(() => undefined);
  stream.end();
  const doctor = await cli(env, ['doctor']);
  for (const server of servers) if (server.isOver()) others.push('a server has ended');
  for (const line of others) console.error(line);
  const missed = own - told();
  return {
    held:
      figures.others === 0 &&
      others.length === 0 &&
      lost === 0 &&
      lostComments === 0 &&
      doubled === 0 &&
      missed === 0 &&
      doctor.database.ok,
    times: TIMES,
    seconds_away: away,
    ...figures,
    lost_titles: lost,
    comments: comments.length,
    lost_comments: lostComments,
    doubled_comments: doubled,
    missed_by_stream: missed,
    streams: stream.count(),
  };
});

/** A person's stream of changes, reopened after its end at the last received cursor. */
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
        // It was ended; the next one goes on from there.
      }
    }
  })();
  return { entries, count: () => count, end: () => (ending.abort(), reading) };
}

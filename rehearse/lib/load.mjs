// The load of most rehearsals. People read and write at a fixed rate. At the end, the writes are read back.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The load compares the latencies in the phases `before` and `during`. If the latency in the phase `before` is shorter
 * than this number of milliseconds, this number is used instead, because the ratio of very short latencies would only
 * show how busy the machine is.
 */
const FLOOR_MS = 50;
/**
 * Minimum number of responses in each of the two compared phases. With fewer responses, a 95th percentile would not be
 * meaningful.
 */
const MIN_RESPONSES = 100;
const CONNECTIONS = 500;
const PER_PAGE = 100;
const BETWEEN_ATTEMPTS_MS = 200;
/**
 * After every `REPEAT_EVERY` acknowledged writes, the latest write is sent again with the same Idempotency-Key, to
 * simulate a client that has not received the response. Over time, every kind of write is repeated.
 */
const REPEAT_EVERY = 7;

/**
 * A turn is one pass of a person through `ACTIONS`. It adds at most one comment and one expense. After these numbers of
 * turns, a person adds no more comments or expenses, because the service stores only the newest 100 threads of comments
 * and at most 50 expenses of an event.
 */
const MAX_COMMENTS = 90;
const MAX_EXPENSES = 45;

const DISCOVER = { method: 'GET', path: '/discover/events' };
/**
 * The requests of one person in one turn. `writeId` identifies a write when the write is read back: a unique text, or
 * the event and the joining person.
 */
const ACTIONS = [
  ({ writeId, own, turn }) =>
    turn < MAX_COMMENTS && { kind: 'comment', path: `/events/${own}/comments`, body: { body: writeId }, writeId },
  () => DISCOVER,
  ({ join }) => join(0),
  ({ own }) => ({ method: 'GET', path: `/events/${own}` }),
  () => DISCOVER,
  ({ writeId, own, turn }) =>
    turn < MAX_EXPENSES && {
      kind: 'expense',
      path: `/events/${own}/expenses`,
      body: { title: writeId, amount: 100 },
      writeId,
    },
  () => ({ method: 'GET', path: '/user' }),
  () => DISCOVER,
  ({ own }) => ({ method: 'GET', path: `/events/${own}` }),
  () => DISCOVER,
  ({ writeId }) => ({
    kind: 'post',
    path: '/posts',
    body: { title: writeId, categories: ['evropa'], body: '<p>Ahoj</p>' },
    writeId,
  }),
  () => ({ method: 'GET', path: '/events?relation=joined' }),
  () => DISCOVER,
  ({ join }) => join(1),
  ({ own }) => ({ method: 'GET', path: `/events/${own}` }),
  () => DISCOVER,
  () => ({ method: 'GET', path: '/user' }),
  () => DISCOVER,
  ({ own }) => ({ method: 'GET', path: `/events/${own}` }),
  () => ({ method: 'GET', path: '/events?relation=joined' }),
];

/**
 * Starts the load, which sends its requests to the `origins` in turn.
 *
 * - `limitMs`: a request fails if its response is not complete within this time. The time in which the request waits
 *   for a socket is included.
 * - `hasKeys`: the service supports `Idempotency-Key`.
 * - `retries`: a request is sent again after a response that has `Retry-After` and is a 503 or a 409
 *   `request_in_progress`. Without `retries`, such a response is a failure.
 * - `maxInProgress`: the load pauses while this many requests have no response.
 *
 * Returns `{sent(n), wrote(n), phase(name), pause(), resume(), acknowledged(), end({ratio})}`. The latencies in the
 * phases `before` and `during` are compared.
 */
export function startLoad(
  origins,
  people,
  {
    perSecond = 100,
    limitMs = 5_000,
    hasKeys = true,
    retries = false,
    maxInProgress = Infinity,
    connections = CONNECTIONS,
  } = {},
) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const run = randomBytes(4).toString('hex');
  const count = people.tokens.length;
  const times = { before: [], during: [] };
  const failures = [];
  /** Writes by kind and id, and whether the write was acknowledged. */
  const writes = new Map();
  const inProgress = new Set();
  const startedAt = performance.now();
  let phase = 'before';
  let [isOver, isPaused] = [false, false];
  let [sent, acknowledged, failed, late, retried, repeated, longest] = [0, 0, 0, 0, 0, 0, 0];

  const actionOf = (n) => {
    const turn = Math.floor(n / ACTIONS.length / count);
    const person = Math.floor(n / ACTIONS.length) % count;
    // Each person joins the event of each other person at most once.
    const join = (which) => {
      const other = turn * 2 + which;
      if (other >= count - 1) return DISCOVER;
      const event = (person + 1 + other) % count;
      const writeId = `${event} ${people.slugs[person]}`;
      return { kind: 'join', path: `/events/${people.events[event]}/join`, body: {}, writeId };
    };
    const action = ACTIONS[n % ACTIONS.length]({ turn, join, own: people.events[person], writeId: `Load ${run} ${n}` });
    return { ...(action || DISCOVER), n, person };
  };

  const recordFailure = ({ method = 'POST', path }, { status, error, text }) => {
    failed++;
    if (error === 'late') late++;
    if (failures.length >= 10) return;
    const at = ((performance.now() - startedAt) / 1000).toFixed(1);
    failures.push(`${at} s: ${method} ${path}: ${error ?? `${status} ${text.slice(0, 200)}`}`);
  };

  /** Sends the request, and retries it if `retries` is true. Returns whether the request succeeded. */
  const perform = async (action) => {
    const { method = 'POST', path, body, n, person, kind } = action;
    const key = kind && hasKeys ? `load-${run}-${n}` : null;
    for (let attempt = 0; ; attempt++) {
      const began = performance.now();
      const answer = await ask(agent, `${origins[(n + attempt) % origins.length]}/api/v1${path}`, {
        method,
        body,
        key,
        token: people.tokens[person],
        within: limitMs,
      });
      const ms = performance.now() - began;
      longest = Math.max(longest, ms);
      if (answer.status >= 200 && answer.status < 300) {
        times[phase]?.push(ms);
        return true;
      }
      const mayRetry =
        retries &&
        answer.retryAfter > 0 &&
        (answer.status === 503 || (answer.status === 409 && answer.text.includes('"request_in_progress"')));
      if (!mayRetry) {
        recordFailure(action, answer);
        return false;
      }
      retried++;
      await pause(BETWEEN_ATTEMPTS_MS);
    }
  };

  /** Performs the action. If it is a write, records the write, and sends some writes a second time. */
  const performAndRecord = async (action) => {
    const write = action.kind && {
      kind: action.kind,
      writeId: action.writeId,
      isAcknowledged: false,
    };
    if (write) writes.set(`${write.kind} ${write.writeId}`, write);
    if (!(await perform(action))) return;
    if (!write) return;
    write.isAcknowledged = true;
    acknowledged++;
    if (!hasKeys || acknowledged % REPEAT_EVERY > 0) return;
    repeated++;
    await perform(action);
  };

  const sending = (async () => {
    while (!isOver) {
      const next = performance.now() + 1000 / perSecond;
      if (!isPaused && inProgress.size < maxInProgress) {
        const working = performAndRecord(actionOf(sent++)).finally(() => inProgress.delete(working));
        inProgress.add(working);
      }
      // On a busy machine, this pause can take too long. The missed requests are not sent later, because a burst would
      // change the load.
      await pause(Math.max(0, next - performance.now()));
    }
    await Promise.all(inProgress);
  })();

  /** Resolves when `counter()` is at least `n` higher than now. */
  const untilIncreased = async (counter, n) => {
    const from = counter();
    while (counter() - from < n) await pause(20);
  };

  return {
    /** Resolves when this many further requests have been sent. */
    sent: (n) => untilIncreased(() => sent, n),
    /** Resolves when this many further writes have been acknowledged. */
    wrote: (n) => untilIncreased(() => acknowledged, n),
    phase: (name) => (phase = name),
    /** Stops sending until `resume`. Resolves when all requests that were sent have their responses. */
    pause: async () => {
      isPaused = true;
      await Promise.all(inProgress);
    },
    resume: () => (isPaused = false),
    /** The number of acknowledged writes. */
    acknowledged: () => acknowledged,
    /**
     * Ends the load, and reads all writes back from the origin `from`. `passed` is true if all conditions are met:
     * - No request failed.
     * - Every acknowledged write is found, and no write is found twice.
     * - At least one write of each kind was acknowledged.
     * - The phases `before` and `during` each have at least MIN_RESPONSES responses.
     * - The 95th percentile of `during` is at most `ratio` times the 95th percentile of `before`. A percentile of
     *   `before` below FLOOR_MS counts as FLOOR_MS.
     */
    end: async ({ ratio, from = origins[0] }) => {
      isOver = true;
      await sending;
      const foundWrites = await readBack(agent, from, people);
      agent.destroy();
      const kinds = { join: 0, comment: 0, expense: 0, post: 0 };
      let [lost, doubled] = [0, 0];
      for (const [name, { kind, isAcknowledged }] of writes) {
        const found = foundWrites.get(name) ?? 0;
        if (isAcknowledged) kinds[kind]++;
        if (isAcknowledged && found === 0) {
          lost++;
          failures.push(`lost: ${name}`);
        }
        if (found > 1) doubled++;
      }
      const [before, during] = [times.before, times.during].map(p95);
      const limit = ratio * Math.max(before, FLOOR_MS);
      const isMeasured = Math.min(times.before.length, times.during.length) >= MIN_RESPONSES;
      return {
        passed:
          failed === 0 &&
          lost === 0 &&
          doubled === 0 &&
          Object.values(kinds).every((n) => n > 0) &&
          isMeasured &&
          during <= limit,
        requests: sent,
        failed,
        late,
        failures: failures.slice(0, 10),
        ...(retries ? { retried } : {}),
        acknowledged: kinds,
        sent_twice: repeated,
        lost,
        doubled,
        p95_before_ms: Math.round(before),
        p95_during_ms: Math.round(during),
        p95_limit_ms: Math.round(limit),
        longest_ms: Math.round(longest),
      };
    },
  };
}

/** The 95th percentile; 0 without values. */
export function p95(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * 0.95)] ?? 0;
}

/** Returns how many times each write was found, by kind and id. */
async function readBack(agent, origin, { tokens, events }) {
  const foundWrites = new Map();
  const add = (kind, writeId) =>
    foundWrites.set(`${kind} ${writeId}`, (foundWrites.get(`${kind} ${writeId}`) ?? 0) + 1);
  const get = async (path, token) => {
    const { status, text, error } = await ask(agent, `${origin}/api/v1${path}`, {
      method: 'GET',
      token,
      within: 30_000,
    });
    if (status !== 200) throw new Error(`reading back, ${path}: ${error ?? status}`);
    return JSON.parse(text).data;
  };
  const pages = async (path, token) => {
    const all = [];
    for (let page = 1; ; page++) {
      const data = await get(`${path}?per_page=${PER_PAGE}&page=${page}`, token);
      all.push(...data);
      if (data.length < PER_PAGE) return all;
    }
  };
  for (const [n, token] of tokens.entries()) {
    const own = `/events/${events[n]}`;
    for (const { user } of await pages(`${own}/participants`, token)) add('join', `${n} ${user.slug}`);
    for (const { body } of await pages(`${own}/comments`, token)) add('comment', body);
    for (const { title } of (await get(`${own}/expenses`, token)).expenses) add('expense', title);
    for (const { title } of await pages('/posts', token)) add('post', title);
  }
  return foundWrites;
}

/**
 * Sends one request. Returns {status, text, retryAfter}, or {status: 0, error}. After `within` milliseconds the error
 * is `late`.
 */
export function ask(agent, url, { method, token, body, key, within }) {
  return new Promise((done) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(key && { 'idempotency-key': key }),
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
    };
    const outgoing = request(url, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('error', (error) => finish({ status: 0, error: error.message }));
      answer.on('end', () =>
        finish({ status: answer.statusCode, text, retryAfter: Number(answer.headers['retry-after'] ?? 0) }),
      );
    });
    const timer = setTimeout(() => {
      finish({ status: 0, error: 'late' });
      outgoing.destroy();
    }, within);
    const finish = (answer) => {
      clearTimeout(timer);
      done(answer);
    };
    outgoing.on('error', (error) => finish({ status: 0, error: error.code ?? error.message }));
    outgoing.end(payload);
  });
}

// A steady load by many people: a fixed rate of reads and writes, independent of response times.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which an answer is a failure. */
const PATIENCE = 15_000;
const CONNECTIONS = 50;

/** People's actions, with their frequency out of ten. All responses are 2xx, or 409 for a repeated action. */
const DEEDS = [
  { of: 4, make: () => ['GET', '/api/v1/discover/events'] },
  { of: 2, make: ({ own }) => ['GET', `/api/v1/events/${own}`] },
  { of: 1, make: () => ['GET', '/api/v1/user'] },
  { of: 1, make: () => ['GET', '/api/v1/events?relation=joined'] },
  { of: 1, make: ({ event }) => ['POST', `/api/v1/events/${event}/join`, {}] },
  { of: 1, make: ({ event }) => ['POST', `/api/v1/events/${event}/leave`, {}] },
].flatMap(({ of, make }) => Array(of).fill(make));
const ANSWERED = new Set([200, 201, 204, 409]);

/**
 * Returns {requests, failed, failures, p50, p99, wrote}: `failures` contains the first ten errors. `going(n)` decides
 * whether there is an n-th request, besides `requests`.
 */
export async function steadyLoad(
  origin,
  { tokens, events },
  { requests, perSecond = 100, going = (n) => n < requests, onRequest = () => undefined },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const [times, failures, under] = [[], [], new Set()];
  let [failed, wrote] = [0, 0];
  const since = performance.now();
  let n = 0;
  for (; going(n); n++) {
    const due = since + (n * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    onRequest(n);
    // Ten actions of one person on another person's event; a different pair in every round.
    const round = Math.floor(n / DEEDS.length);
    const person = round % tokens.length;
    const event = events[(person + 1 + (Math.floor(round / tokens.length) % (events.length - 1))) % events.length];
    const [method, path, body] = DEEDS[n % DEEDS.length]({ event, own: events[person % events.length] });
    const one = ask(agent, origin, method, path, tokens[person], body)
      .then(({ status, ms, error }) => {
        times.push(ms);
        if (method === 'POST' && status < 300) wrote++;
        // A leave may overtake the person's own join.
        if (ANSWERED.has(status) || (status === 404 && path.endsWith('/leave'))) return;
        failed++;
        if (failures.length < 10)
          failures.push(`${((performance.now() - since) / 1000).toFixed(1)} s: ${method} ${path}: ${error ?? status}`);
      })
      .finally(() => under.delete(one));
    under.add(one);
  }
  await Promise.all(under);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  return { requests: n, failed, failures, wrote, p50_ms: at(0.5), p99_ms: at(0.99), longest_ms: at(1) };
}

function ask(agent, origin, method, path, token, body) {
  const began = performance.now();
  return new Promise((done) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const over = (answer) => done({ ...answer, ms: performance.now() - began });
    const asked = request(
      origin + path,
      {
        agent,
        method,
        timeout: PATIENCE,
        headers: {
          authorization: `Bearer ${token}`,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      },
      (answer) => {
        answer.on('data', () => undefined);
        answer.on('error', (error) => over({ status: 0, error: error.message }));
        answer.on('end', () => over({ status: answer.complete ? answer.statusCode : 0 }));
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error) => over({ status: 0, error: error.code ?? error.message }));
    asked.end(payload);
  });
}

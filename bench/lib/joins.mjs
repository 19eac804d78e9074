import http from 'node:http';

/**
 * Sends requests to join events, over keep-alive connections, until the time is over or `joins` requests are sent. The
 * owner of `tokens[n]` joins the event `eventOf(n)`. Returns the number of requests. Throws if a request fails or a
 * response does not have the status 200.
 */
export async function joinFor(milliseconds, { origin, tokens, eventOf, joins, connections = 50 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(origin);
  const ends = performance.now() + milliseconds;
  let next = 0;
  const joinNext = (n) =>
    new Promise((done, failed) => {
      const headers = { authorization: `Bearer ${tokens[n]}`, 'content-length': 0 };
      const request = http.request(
        { agent, hostname, port, method: 'POST', path: `/api/v1/events/${eventOf(n)}/join`, headers },
        (response) => {
          response.resume().on('error', failed);
          response.on('end', () =>
            response.statusCode === 200 ? done() : failed(new Error(`${origin} answered ${response.statusCode}`)),
          );
        },
      );
      request.on('error', failed);
      request.end();
    });
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < joins && performance.now() < ends) await joinNext(next++);
      }),
    );
  } finally {
    agent.destroy();
  }
  return next;
}

// In most benchmarks, this client shares the cores with the measured server, so it must need little processor time. It
// uses bare sockets, and reads only the status and the length of responses.
import { connect } from 'node:net';

/**
 * Sends GET requests repeatedly over keep-alive connections. Without `perSecond`, each connection sends its next
 * request when it has received the response to the previous one. With `perSecond`, the connections together send this
 * many requests per second on average, at random times (Poisson). Returns {latencies, rps, refused, bytes}. `rps`:
 * responses per second. `latencies`: milliseconds from the planned time of each request to the last byte of its
 * response, in ascending order. `refused`: the number of responses with a status other than 200. `bytes`: the number of
 * received bytes.
 */
export async function load({ origin, requests, connections, seconds, perSecond }) {
  const { port, host } = new URL(origin);
  const wire = requests.map(({ path, token }) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\nauthorization: Bearer ${token}\r\n\r\n`,
    ),
  );
  const latencies = [];
  let refused = 0;
  let bytes = 0;
  let next = 0;
  const since = performance.now();
  const until = since + seconds * 1000;
  let due = since;
  const nextDue = () => (perSecond ? (due += (-Math.log(1 - Math.random()) * 1000) / perSecond) : performance.now());

  const runConnection = () =>
    new Promise((done, failed) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.setNoDelay(true);
      let plannedAt = 0;
      // The bytes of the response's body that have not arrived yet; -1 until the whole head has arrived.
      let missingBytes = -1;
      let head = '';
      const send = () => {
        plannedAt = nextDue();
        if (plannedAt >= until) return void socket.end();
        missingBytes = -1;
        head = '';
        const write = () => socket.write(wire[next++ % wire.length]);
        const early = plannedAt - performance.now();
        if (early > 0) setTimeout(write, Math.ceil(early));
        else write();
      };
      socket.on('connect', send).on('error', failed).on('close', done);
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (missingBytes < 0) {
          head += chunk.toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2));
          if (!length) return failed(new Error(`a response without Content-Length: ${head.slice(0, 200)}`));
          if (!head.startsWith('HTTP/1.1 200')) refused++;
          missingBytes = Number(length[1]) - (head.length - end - 4);
        } else missingBytes -= chunk.length;
        if (missingBytes > 0) return;
        latencies.push(performance.now() - plannedAt);
        send();
      });
    });

  await Promise.all(Array.from({ length: connections }, runConnection));
  const elapsed = performance.now() - since;
  return { latencies: latencies.sort((a, b) => a - b), rps: latencies.length / (elapsed / 1000), refused, bytes };
}

/** The percentile of sorted latencies in milliseconds, for `share` between 0 and 1. */
export function percentile(latencies, share) {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
}

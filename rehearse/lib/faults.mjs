// A proxy between the load (load.mjs, which sends the requests of a rehearsal) and the service. It forwards requests
// and causes a fault. With `--break`, a rehearsal uses this proxy to check that the rehearsal detects the fault.
import { createServer, request, Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from './programs.mjs';

/**
 * Milliseconds by which `late` delays a response: less than the time after which the load counts a request as failed,
 * but far above the usual latency.
 */
const LATE_MS = 4_000;

/**
 * Returns {origin, fault}. Set `fault` to `late` to delay each response, or to `lost` to acknowledge one comment
 * without storing it. If this comment is sent again with its `Idempotency-Key`, it is acknowledged again, and again not
 * stored.
 */
export async function faultyProxy(origin) {
  const agent = new Agent({ keepAlive: true });
  const proxy = { fault: null };
  let lostKey = null;
  const server = createServer(async (incoming, answer) => {
    const { method, url, headers } = incoming;
    const parts = [];
    try {
      for await (const part of incoming) parts.push(part);
      if (proxy.fault === 'late') await pause(LATE_MS);
      const key = headers['idempotency-key'];
      const isLost = proxy.fault === 'lost' && method === 'POST' && url.endsWith('/comments');
      if (isLost || (key !== undefined && key === lostKey)) {
        proxy.fault = null;
        lostKey = key;
        answer.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{}}');
        return;
      }
      const onward = request(origin + url, { agent, method, headers }, (got) => {
        answer.writeHead(got.statusCode, got.headers);
        got.on('error', () => answer.destroy()).pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      onward.end(Buffer.concat(parts));
    } catch {
      answer.destroy();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  proxy.origin = `http://127.0.0.1:${server.address().port}`;
  return proxy;
}

import { createServer } from 'node:net';

/** Returns a TCP port of 127.0.0.1 on which no program listens. */
export function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.on('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

import { createServer, type AddressInfo } from 'node:net';

/** Returns a port of `host` that no program uses. Another program can take the port before the caller uses it. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

import { createServer, type AddressInfo } from 'node:net';

/**
 * Returns `port`, or for port 0 any port of `host` that no program uses. Throws if `port` is in use. Another program
 * can take the port before the caller uses it.
 */
export function freePort(host = '127.0.0.1', port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => {
      const { port: opened } = server.address() as AddressInfo;
      server.close(() => resolve(opened));
    });
  });
}

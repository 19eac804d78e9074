import type { AddressInfo } from 'node:net';
import { startListening } from './sandbox';

// SBX-1
it('a sandbox without PORT listens on a free port', async () => {
  const servers = await Promise.all([startListening(undefined), startListening(undefined)]);
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  expect(new Set(ports).size).toBe(2);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.mjs';

/**
 * Starts a Redis server that stores nothing on disk. Waits until the server accepts connections or has ended. Returns
 * {port, url, pid, stop()}; null if redis-server is not installed.
 */
export async function startRedis() {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const isRunning = await new Promise((done) =>
    server.once('spawn', () => done(true)).once('error', () => done(false)),
  );
  if (!isRunning) return null;
  while (server.exitCode === null && !(await listens(port))) await pause(20);
  return { port, url: `redis://127.0.0.1:${port}`, pid: server.pid, stop: () => server.kill() };
}

async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

import { spawn } from 'node:child_process';
import { freePort } from './service.mjs';

/** Starts a Redis server that stores nothing on disk. Returns null if redis-server is not installed. */
export async function startRedis() {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const isRunning = await new Promise((done) =>
    server.once('spawn', () => done(true)).once('error', () => done(false)),
  );
  return isRunning ? { port, url: `redis://127.0.0.1:${port}`, pid: server.pid, stop: () => server.kill() } : null;
}

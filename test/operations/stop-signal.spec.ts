import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '#platform/config/settings';
import { freePort } from '#platform/net/free-port';
import { Cable } from '#testing/cable';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

/**
 * OPS-3, OPS-50: what a load balancer and API clients observe when a server stops. test/media/stopping.spec.ts tests
 * SIGTERM without a delay.
 */
describe('a server that is asked to stop', () => {
  let testServer: TestServer;
  beforeAll(async () => (testServer = await TestServer.start()));
  afterAll(() => testServer.stop());

  const start = (): Promise<ServerProcess> => {
    const { databaseUrl, dataDir, appSecret } = testServer.app.get(Settings);
    return ServerProcess.start({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
      SHUTDOWN_DELAY: '2',
    });
  };
  const statusOf = (server: ServerProcess, path: string): Promise<number | null> =>
    fetch(server.origin + path).then(
      ({ status }) => status,
      () => null,
    );

  // OPS-61: SIGUSR2 stops a server that consists of one process, as SIGTERM does.
  it('reports "not ready" immediately, answers all other requests during the delay, and exits with the code 0 after SIGUSR2', async () => {
    const server = await start();
    const jana = await testServer.person('jana');
    const ended = server.stop('SIGUSR2');
    await waitUntil(async () => (await statusOf(server, '/health/ready')) === 503);
    // The server also answers new connections, because a load balancer opens connections until it notices that the
    // server is not ready.
    const user = await fetch(`${server.origin}/api/v1/user`, {
      headers: { authorization: `Bearer ${jana.token}`, connection: 'close' },
    });
    expect([user.status, await statusOf(server, '/health/live')]).toEqual([200, 200]);
    // On a connection that was already open, the server sends one more response, and then closes the connection.
    expect((await fetch(`${server.origin}/health/live`)).headers.get('connection')).toBe('close');
    expect(await ended).toBe(0);
    expect(await statusOf(server, '/health/live')).toBeNull();
  });
});

// OPS-10
describe('a server whose database becomes unreachable immediately after the server has started to listen', () => {
  it('answers 503 until the database is reachable again, and stops immediately after a second signal', async () => {
    const testServer = await TestServer.start();
    const { databaseUrl, dataDir, appSecret } = testServer.app.get(Settings);
    const url = new URL(databaseUrl ?? '');
    const cable = await Cable.to(url.href);
    url.host = new URL(cable.origin).host;
    const port = await freePort();
    const status = (): Promise<number | null> =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        (answer) => answer.status,
        () => null,
      );
    const start = ServerProcess.start({
      DATABASE_URL: url.href,
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
      PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:1',
      SHUTDOWN_DELAY: '300',
    });
    await waitUntil(async () => (await status()) !== null);
    cable.cut();
    const statuses = new Set<number | null>();
    for (let n = 0; n < 3; n++) {
      await pause(200);
      statuses.add(await status());
    }
    cable.reconnect();
    const server = await start;
    expect([...statuses]).toEqual([503]);
    expect(await status()).toBe(200);
    // OPS-3: without the second signal, the server would wait 300 seconds.
    void server.stop();
    await waitUntil(async () => (await status()) === 503);
    expect(await server.stop()).toBe(0);
    await cable.remove();
    await testServer.stop();
  }, 60_000);
});

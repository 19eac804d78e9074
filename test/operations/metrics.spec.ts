import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Settings } from '#platform/config/settings';
import { freePort } from '#platform/net/free-port';
import { TestServer } from '#testing/test-server';

const ROOT = join(__dirname, '..', '..');
const TOKEN = 'a token for the metrics';

/** OPS-51: the metrics for Prometheus. */
describe('metrics', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ metricsToken: TOKEN })));
  afterAll(() => server.stop());

  const read = (authorization?: string) =>
    fetch(`${server.origin}/metrics`, { headers: authorization ? { authorization } : {} });
  const figure = (text: string, name: string): number | null => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? null : Number(line.slice(name.length + 1));
  };

  it('are not shown without the right token', async () => {
    for (const authorization of [undefined, 'Bearer nothing', `Bearer ${TOKEN}x`, TOKEN]) {
      const answer = await read(authorization);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.text()).not.toContain('http_');
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER  ']) {
      const answer = await read(`${scheme} ${TOKEN}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
    }
  });

  it('contain requests by route, refusals by code, statements by name, connections, the media queue and the event loop', async () => {
    const jana = await server.person('jana');
    const text = async () => (await read(`Bearer ${TOKEN}`)).text();
    const [requestCount, refusalCount] = [
      'http_request_duration_seconds_count{method="GET",route="/api/v1/events/:id",status="404"}',
      'http_refusals_total{code="not_found"}',
    ];
    const before = await text();
    for (const id of ['abcdefgh', 'hgfedcba', '17']) expect((await jana.api.get(`/events/${id}`)).status).toBe(404);
    await jana.api.get('/user');
    const after = await text();
    expect(figure(after, requestCount)! - (figure(before, requestCount) ?? 0)).toBe(3);
    expect(figure(after, refusalCount)! - (figure(before, refusalCount) ?? 0)).toBe(3);
    expect(after).not.toContain('hgfedcba');
    expect(after).toMatch(/^database_statement_duration_seconds_count\{name="[a-z_]+",outcome="done"\} \d+$/m);
    expect(figure(after, 'database_connections{state="waiting"}')).toBe(0);
    expect(figure(after, 'media_conversion_wait_seconds')).toBe(0);
    expect(figure(after, 'nodejs_eventloop_lag_p99_seconds')).not.toBeNull();
  });

  it('omit only the figures that cannot be read from the database', async () => {
    await server.sql('ALTER TABLE job_runs RENAME TO job_runs_away');
    const answer = await read(`Bearer ${TOKEN}`);
    await server.sql('ALTER TABLE job_runs_away RENAME TO job_runs');
    const text = await answer.text();
    expect([
      answer.status,
      text.includes('job_last_run_failed{'),
      figure(text, 'database_connections{state="waiting"}'),
    ]).toEqual([200, false, 0]);
  });

  it('are served only if METRICS_TOKEN or METRICS_PORT is set; with METRICS_PORT only on that port, which must be free', async () => {
    const { dataDir, appSecret } = server.app.get(Settings);
    const withoutMetrics = await TestServer.start();
    expect((await fetch(`${withoutMetrics.origin}/metrics`)).status).toBe(404);
    await withoutMetrics.stop();
    const port = await freePort();
    const withMetricsPort = await TestServer.start({ metricsPort: port });
    const answers = await Promise.all(
      [`http://127.0.0.1:${port}/metrics`, `http://127.0.0.1:${port}/else`, `${withMetricsPort.origin}/metrics`].map(
        (url) => fetch(url),
      ),
    );
    await withMetricsPort.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect(await answers[0]!.text()).toContain('process_cpu_seconds_total');

    // OPS-84
    const usedPort = new URL(server.origin).port;
    // The ports are checked before the database or Redis is used, so neither is needed.
    for (const [setting, WORKERS] of [
      ['METRICS_PORT', '1'],
      ['METRICS_PORT', '2'],
      ['PORT', '1'],
    ] as const) {
      const args = [
        '--conditions=events-source',
        '--require',
        join(ROOT, 'libs/testing/register-typescript.cjs'),
        join(ROOT, 'apps/server/main.ts'),
      ];
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 80_000,
        env: {
          PATH: process.env['PATH'],
          TEST_MUTANT: process.env['TEST_MUTANT'],
          LOG_LEVEL: 'silent',
          JOBS: 'off',
          HOST: '127.0.0.1',
          PORT: String(port),
          [setting]: usedPort,
          WORKERS,
          REDIS_URL: 'redis://127.0.0.1:1',
          DATABASE_URL: 'postgres://127.0.0.1:1/none',
          DATA_DIR: dataDir,
          APP_SECRET: appSecret,
        },
      });
      expect([WORKERS, status, stderr]).toEqual([
        WORKERS,
        1,
        `${setting} ${usedPort} on HOST 127.0.0.1 cannot be used: the port is in use.\n`,
      ]);
    }
  }, 240_000);
});

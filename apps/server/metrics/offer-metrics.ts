import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { Jobs } from '#platform/jobs/jobs';
import { Videos } from '#platform/media/videos';
import { Metrics } from './metrics';

const PATH = '/metrics';

/**
 * `/metrics` on METRICS_PORT (of HOST), or with METRICS_TOKEN on the service's own; with both, on that port with that token. Without either there
 * is no such path, and nothing is measured (OPS-51).
 */
export function offerMetrics(app: NestFastifyApplication): void {
  const { metricsPort, metricsToken, host } = app.get(Settings);
  if (metricsPort === null && metricsToken === null) return;
  const fastify = app.getHttpAdapter().getInstance();
  const metrics = metricsOf(app);
  const mayRead = (authorization: string | undefined): boolean => metricsToken === null || isEqual(authorization ?? '', `Bearer ${metricsToken}`);

  if (metricsPort === null) {
    fastify.get(PATH, { logLevel: 'silent' }, async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      if (!mayRead(request.headers.authorization)) return reply.code(401).header('www-authenticate', 'Bearer').type('text/plain').send('METRICS_TOKEN is asked for.\n');
      return reply.type(metrics.contentType).send(await metrics.text());
    });
    return;
  }
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== PATH) return void response.writeHead(404).end();
    if (!mayRead(request.headers.authorization)) return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  fastify.addHook('onListen', (done) => void server.once('error', done).listen(metricsPort, host, () => done()));
  fastify.addHook('onClose', (_instance, done) => {
    server.closeAllConnections();
    server.close(() => done());
  });
}

function metricsOf(app: NestFastifyApplication): Metrics {
  const [database, jobs, videos] = [app.get(Database), app.get(Jobs), app.get(Videos)];
  return new Metrics(app.getHttpAdapter().getInstance(), [
    {
      name: 'database_connections', help: 'Connections of this process by what they do, and requests that wait for one.', labels: ['state'],
      read: async () => Object.entries(database.connections).map(([state, count]) => [{ state }, count]),
    },
    {
      name: 'job_last_run_timestamp_seconds', help: 'When the last run of a job began, whichever server ran it.', labels: ['job'],
      read: async () => (await jobs.lastRuns()).map(({ job, startedAt }) => [{ job }, startedAt.getTime() / 1000]),
    },
    {
      name: 'job_last_run_failed', help: '1 where the last run of a job failed.', labels: ['job'],
      read: async () => (await jobs.lastRuns()).map(({ job, error }) => [{ job }, error === null ? 0 : 1]),
    },
    {
      name: 'media_conversion_wait_seconds', help: 'Seconds until a video that came now would be converted.',
      read: async () => [[{}, videos.secondsAhead]],
    },
  ]);
}

/** As long for a token that is nearly right as for one that is not. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

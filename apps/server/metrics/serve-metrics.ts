import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { Maintenance } from '#platform/maintenance/maintenance';
import { Jobs } from '#platform/jobs/jobs';
import { lazily } from '#platform/loading/lazily';
import { Videos } from '#platform/media/videos';
import { MESSAGES } from '#platform/workers/messages';
import { thisWorker } from '#platform/workers/worker';
import { cannotListen } from '../cannot-listen';
import { installationReadings } from './installation-readings';
import type { Metrics } from './metrics';
import { mayRead, METRICS_PATH, metricsServer, type Exposition } from './metrics-port';

const metricsModule = lazily<typeof import('./metrics')>(__filename, './metrics');

/**
 * Serves `/metrics` if METRICS_PORT or METRICS_TOKEN is set (OPS-51). With METRICS_PORT, the metrics are on this port
 * of HOST, and METRICS_TOKEN (if set) is required there. With METRICS_TOKEN alone, the metrics are on the service's own
 * port. If neither is set, the path does not exist, nothing is measured, and the Prometheus library is not loaded.
 * With several workers, the response contains the metrics of all workers, and the primary process opens the port
 * (OPS-61).
 */
export function serveMetrics(app: NestFastifyApplication): void {
  const { metricsPort, metricsToken, host } = app.get(Settings);
  if (metricsPort === null && metricsToken === null) return;
  const fastify = app.getHttpAdapter().getInstance();
  const metrics = metricsOf(app);
  const worker = thisWorker();
  worker?.primary.handle(MESSAGES.metrics, () => metrics.values());
  const exposition: Exposition = {
    contentType: metrics.contentType,
    text: () => (worker ? worker.primary.ask<string>(MESSAGES.metricsOfAll) : metrics.text()),
  };

  if (metricsPort === null) {
    fastify.get(METRICS_PATH, { logLevel: 'silent' }, async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      if (!mayRead(request.headers.authorization, metricsToken))
        return reply
          .code(401)
          .header('www-authenticate', 'Bearer')
          .type('text/plain')
          .send('This path requires METRICS_TOKEN.\n');
      return reply.type(exposition.contentType).send(await exposition.text());
    });
    return;
  }
  if (worker) return;
  const server = metricsServer(exposition, metricsToken);
  // The port is opened before the service listens, because an error of an `onListen` hook is only logged: the service
  // would continue without metrics.
  fastify.addHook('onReady', (done) => {
    server
      .once('error', (error) => done(cannotListen('METRICS_PORT', metricsPort, host, error)))
      .listen(metricsPort, host, () => done());
  });
  fastify.addHook('onClose', (_instance, done) => {
    server.closeAllConnections();
    server.close(() => done());
  });
}

function metricsOf(app: NestFastifyApplication): Metrics {
  const [database, reading, jobs, videos, maintenance] = [
    app.get(Database),
    app.get(ReadingDatabase),
    app.get(Jobs),
    app.get(Videos),
    app.get(Maintenance),
  ];
  const { Metrics: LoadedMetrics } = metricsModule();
  return new LoadedMetrics(app.getHttpAdapter().getInstance(), [
    {
      name: 'service_workers',
      help: 'Number of processes that serve this port and whose values are included here.',
      aggregator: 'sum',
      read: async () => [[{}, 1]],
    },
    {
      name: 'database_connections',
      help: 'Connections to the database by state, and requests that wait for a connection.',
      labels: ['state'],
      aggregator: 'sum',
      read: async () => Object.entries(database.connections).map(([state, count]) => [{ state }, count]),
    },
    {
      name: 'database_reads',
      help: 'Reads that a replica may serve, by the server that served them.',
      labels: ['server'],
      aggregator: 'sum',
      read: async () => [...reading.readsPerServer].map(([server, count]) => [{ server }, count]),
    },
    {
      name: 'database_replica_lag_seconds',
      help: 'Seconds that a replica is behind the primary; absent if this is unknown.',
      labels: ['replica'],
      aggregator: 'max',
      read: async () =>
        reading.replicas.flatMap(({ name, lagSeconds }) =>
          lagSeconds === null ? [] : [[{ replica: name }, lagSeconds]],
        ),
    },
    {
      name: 'database_replica_out',
      help: '1 if a replica is not used for reads, because it does not answer or is too far behind.',
      labels: ['replica'],
      aggregator: 'max',
      read: async () =>
        reading.replicas.map(({ name, unusableReason }) => [{ replica: name }, unusableReason === null ? 0 : 1]),
    },
    // This reading uses a connection. It comes after `database_connections`, so that this connection is not counted.
    {
      name: 'service_maintenance',
      help: '1 during maintenance: changes are refused.',
      aggregator: 'max',
      read: async () => [[{}, (await maintenance.recentState()) ? 1 : 0]],
    },
    {
      name: 'job_last_run_timestamp_seconds',
      help: 'Start time of the last run of a job on any server.',
      labels: ['name'],
      aggregator: 'max',
      read: async () =>
        (await jobs.lastRuns()).map(({ job, startedAt }) => [{ name: job }, startedAt.getTime() / 1000]),
    },
    {
      name: 'job_last_run_failed',
      help: '1 if the last run of a job failed.',
      labels: ['name'],
      aggregator: 'max',
      read: async () => (await jobs.lastRuns()).map(({ job, error }) => [{ name: job }, error === null ? 0 : 1]),
    },
    {
      name: 'media_conversion_wait_seconds',
      help: 'Estimated seconds until the conversion of a video that is uploaded now would start.',
      aggregator: 'max',
      read: async () => [[{}, videos.secondsAhead]],
    },
    ...installationReadings(app),
  ]);
}

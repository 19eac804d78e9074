import type { FastifyInstance } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { onStatement } from '#platform/database/statement-channel';

/**
 * Upper bounds of the buckets for the durations of requests, in seconds. A request for a page of a list takes a few
 * milliseconds, and an upload takes some seconds.
 */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATEMENT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** A metric whose value is read when Prometheus requests the metrics. `read` returns a value for each set of labels. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** How the values of several workers are combined into one value. */
  readonly aggregator: 'sum' | 'max';
  readonly read: () => Promise<readonly (readonly [Readonly<Record<string, string>>, number])[]>;
}

/** Metrics for Prometheus (OPS-51). docs/operating/monitoring.md explains the metrics. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly stopWatchingStatements: () => void;

  constructor(fastify: FastifyInstance, readings: readonly Reading[]) {
    collectDefaultMetrics({ register: this.registry });
    this.watchRequests(fastify);
    this.stopWatchingStatements = this.watchStatements();
    for (const reading of readings) this.addGauge(reading);
    fastify.addHook('onClose', (_instance, done) => {
      this.stopWatchingStatements();
      done();
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /**
   * The metrics of this process, for the primary process. The primary combines the metrics of all workers
   * (worker-metrics.ts).
   */
  values(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.registry.getMetricsAsJSON();
  }

  /**
   * The label `route` contains the pattern of the route and not the path. Paths contain ids, so the label would have
   * too many values.
   */
  private watchRequests(fastify: FastifyInstance): void {
    const seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from the arrival of a request’s headers to the end of its answer.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: REQUEST_BUCKETS,
      registers: [this.registry],
    });
    const refusals = new Counter({
      name: 'http_refusals_total',
      help: 'Requests that were refused, by the code of the refusal.',
      labelNames: ['code'] as const,
      registers: [this.registry],
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
      seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
      if (request.refusalCode !== null) refusals.inc({ code: request.refusalCode });
      done();
    });
  }

  /** Returns a function that ends the measurement. */
  private watchStatements(): () => void {
    const seconds = new Histogram({
      name: 'database_statement_duration_seconds',
      help: 'Duration of a named statement in seconds, including the wait for a connection.',
      labelNames: ['name', 'outcome'] as const,
      buckets: STATEMENT_BUCKETS,
      registers: [this.registry],
    });
    return onStatement(({ name, ms, failed }) =>
      seconds.observe({ name, outcome: failed ? 'failed' : 'done' }, ms / 1000),
    );
  }

  /**
   * If a reading fails, for example because the database is down, its metric is omitted. All other metrics are
   * returned.
   */
  private addGauge({ name, help, labels = [], aggregator, read }: Reading): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      aggregator,
      collect: async () => {
        const figures = await read().catch(() => []);
        // Removes the values of the last collection, which are out of date. For a gauge without labels, `reset` would
        // not remove the value but set it to 0.
        if (labels.length > 0) gauge.reset();
        else gauge.remove();
        for (const [labelValues, figure] of figures) gauge.set(labelValues, figure);
      },
    });
  }
}

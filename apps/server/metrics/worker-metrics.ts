import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** The metrics of one process (`Metrics.values`). */
export type MetricsReport = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Types of metrics whose values only grow while a process runs. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram']);

/**
 * Combines the metrics of all workers into one text. The text also contains the last counts of workers that exited or
 * do not answer: Prometheus interprets a smaller count as a restart of the service, and would count all former requests
 * again.
 */
export class WorkerMetrics {
  /** The counts that each worker reported last, by the id of the worker. */
  private readonly counts = new Map<number, MetricsReport>();
  /** The sums of the counts of all workers that have exited. */
  private exitedSums: Promise<MetricsReport> = Promise.resolve([]);

  record(worker: number, report: MetricsReport): void {
    this.counts.set(
      worker,
      report.filter(({ type }) => GROWING.has(String(type))),
    );
  }

  /** Must be called when a worker has exited. Counts of the worker after its last report are lost. */
  recordExit(worker: number): void {
    const counts = this.counts.get(worker);
    if (!counts) return;
    this.counts.delete(worker);
    this.exitedSums = this.exitedSums.then(async (sums) => (await combined([sums, counts])).getMetricsAsJSON());
  }

  /**
   * Returns the combined metrics in the text format of Prometheus.
   * @param reports the metrics of the workers that have answered, by the ids of the workers
   */
  async text(reports: ReadonlyMap<number, MetricsReport>): Promise<string> {
    const unanswered = [...this.counts].flatMap(([worker, counts]) => (reports.has(worker) ? [] : [counts]));
    const running = [...reports.values(), ...unanswered];
    return (await combined([...running, await this.exitedSums])).metrics();
  }
}

async function combined(reports: readonly MetricsReport[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(
    reports.map((report) =>
      // An average of the event loops' delays would hide one blocked worker among several.
      report.map((metric) => (metric.aggregator === 'average' ? { ...metric, aggregator: 'max' as const } : metric)),
    ),
  );
}

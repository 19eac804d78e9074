import { Counter, Gauge, Registry } from 'prom-client';
import { WorkerMetrics, type MetricsReport } from './worker-metrics';

const REQUESTS = 'requests_total';
const SERVING = 'serving';
const DELAY = 'loop_delay_seconds';

/** The metrics of a worker that has answered `requests` requests, and whose event loop was late by `delay` seconds. */
async function reportOf(requests: number, delay = 0): Promise<MetricsReport> {
  const registers = [new Registry()];
  new Counter({ name: REQUESTS, help: 'Requests', registers }).inc(requests);
  new Gauge({ name: SERVING, help: 'Workers', registers, aggregator: 'sum' }).set(1);
  new Gauge({ name: DELAY, help: 'Delay', registers, aggregator: 'average' }).set(delay);
  return registers[0]!.getMetricsAsJSON();
}

describe('the metrics of several workers', () => {
  const metrics = new WorkerMetrics();

  /** The values that are reported when these workers answer. */
  async function values(answers: Record<number, MetricsReport>): Promise<Record<string, number>> {
    const reports = new Map(Object.entries(answers).map(([worker, report]) => [Number(worker), report]));
    for (const [worker, report] of reports) metrics.record(worker, report);
    const lines = (await metrics.text(reports)).split('\n').filter((line) => line && !line.startsWith('#'));
    return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, value]) => [name, Number(value)]));
  }

  // OPS-51
  it('still include the counts of workers that exit, are replaced or do not answer', async () => {
    expect(await values({ 1: await reportOf(40), 2: await reportOf(2) })).toMatchObject({
      [REQUESTS]: 42,
      [SERVING]: 2,
    });
    expect(await values({ 2: await reportOf(3) })).toMatchObject({ [REQUESTS]: 43, [SERVING]: 1 });
    metrics.recordExit(1);
    expect(await values({ 2: await reportOf(3), 3: await reportOf(1) })).toMatchObject({
      [REQUESTS]: 44,
      [SERVING]: 2,
    });
    metrics.recordExit(2);
    metrics.recordExit(4);
    expect(await values({ 3: await reportOf(2) })).toMatchObject({ [REQUESTS]: 45, [SERVING]: 1 });
  });

  it('report the longest delay of an event loop, not the average', async () => {
    expect(await values({ 5: await reportOf(0, 0.9), 6: await reportOf(0, 0.1) })).toMatchObject({ [DELAY]: 0.9 });
  });
});

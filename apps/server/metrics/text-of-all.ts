/** Combines the metrics of several workers (`Metrics.values`) into one text. */
export async function textOfAll(workerMetrics: readonly object[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...workerMetrics]).metrics();
}

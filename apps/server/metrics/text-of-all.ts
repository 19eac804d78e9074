/** Combines the metrics of several workers (`Metrics.values`) into one text. */
export async function textOfAll(figures: readonly object[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...figures]).metrics();
}

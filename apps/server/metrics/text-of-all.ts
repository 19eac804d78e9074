/** Combines the metrics of several workers (`Metrics.figures`) into one text. */
export async function textOfAll(figures: readonly object[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...figures]).metrics();
}

import { AggregatorRegistry } from 'prom-client';

/** The figures of several workers (`Metrics.figures`) as one text. */
export function textOfAll(figures: readonly object[]): Promise<string> {
  return AggregatorRegistry.aggregate([...figures]).metrics();
}

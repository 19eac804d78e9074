import type { DataSource } from 'typeorm';

/**
 * Opens every connection of the pool in advance. A new pool opens its connections one after another. Requests that a
 * test sends simultaneously would then run one by one, and faults of parallel requests would not be found.
 */
export async function warmConnections(dataSource: DataSource): Promise<void> {
  const { poolSize = 10 } = dataSource.options as { poolSize?: number };
  const runners = Array.from({ length: poolSize }, () => dataSource.createQueryRunner());
  try {
    await Promise.all(runners.map((runner) => runner.connect()));
  } finally {
    await Promise.all(runners.map((runner) => runner.release()));
  }
}

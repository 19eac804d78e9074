import type { DataSource } from 'typeorm';

/**
 * Opens every connection of the pool at once. A cold pool opens its first connections one after another, so requests
 * that a test sends at the same time would run one by one, and a fault of parallel requests would not be found.
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

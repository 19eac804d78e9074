import type { DataSource } from 'typeorm';

/**
 * Opens every connection of the pool, at once. A cold pool hands out its first connections one after another, and requests that
 * a test sends at the same moment would queue behind one of them: what fails in parallel would pass.
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

import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { Event } from '#areas/events/event.entity';
import { OccurrencesCommands } from '#areas/events/occurrences.commands';
import { SeriesExtendJob } from '#areas/series/series-extend.job';
import { Series } from '#areas/series/series.entity';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';

/**
 * A process that runs the job series-extend like a server: `node … series-extend.process.ts URL NOW RUNS`. It prints
 * `ready`, waits for a line on stdin, runs the job `RUNS` times in parallel, and prints the results. The lock for jobs
 * is not used, so that only the job itself prevents conflicts.
 */
async function main([url = '', now = '', runs = '1']: readonly string[]): Promise<void> {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    entities: [Series, Event],
    poolSize: Number(runs) + 1,
  }).initialize();
  const occurrences = new OccurrencesCommands(undefined as never, undefined as never, undefined as never, new Clock());
  const job = new SeriesExtendJob(new Database(dataSource), occurrences);
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  const results = await Promise.all(
    Array.from({ length: Number(runs) }, () => job.run({ now: new Date(now), signal: new AbortController().signal })),
  );
  process.stdout.write(`${JSON.stringify(results)}\n`);
  process.stdin.destroy();
  await dataSource.destroy();
}

void main(process.argv.slice(2));

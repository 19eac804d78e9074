import { DataSource } from 'typeorm';
import { Clock } from '#platform/time/clock';
import { Database } from '#platform/database/database';
import { requestOptions } from '#platform/database/data-source';
import { JobRuns } from '#platform/jobs/job-runs';
import { Jobs } from '#platform/jobs/jobs';

/**
 * A process that runs jobs like a server: `node … job.process.ts URL now|hang`. The only job adds a row to `job_marks`.
 * With `now`, the job runs even if it is not due. With `hang`, it runs only if it is due; it prints a line and then
 * runs until the test kills the process.
 */
async function main([url, mode]: readonly (string | undefined)[]): Promise<void> {
  const dataSource = await new DataSource(requestOptions(url ?? '', 4)).initialize();
  const database = new Database(dataSource);
  const job = {
    name: 'mark',
    every: 'day' as const,
    run: async () => {
      await dataSource.query('INSERT INTO job_marks (process) VALUES ($1)', [process.pid]);
      if (mode === 'hang') {
        process.stdout.write('half-way\n');
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      }
      return { marks: 1 };
    },
  };
  const jobs = new Jobs([job], dataSource, new JobRuns(database), new Clock());
  await (mode === 'now' ? jobs.runNow('mark') : jobs.runDue());
  await dataSource.destroy();
}

void main(process.argv.slice(2));

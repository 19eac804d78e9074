import type { Command } from 'commander';
import { Jobs } from '#platform/jobs/jobs';
import { OperatorError } from '#platform/config/operator-error';
import { answer } from '../answer';

export function jobsCommands(program: Command): void {
  program
    .command('jobs')
    .description('scheduled jobs')
    .command('run <name>')
    .description('runs a job immediately and prints its result')
    .action(async (name: string) => {
      await answer(async (app) => {
        const jobs = app.get(Jobs);
        if (!jobs.names.includes(name))
          throw new OperatorError(`There is no job ${name}; the jobs are ${jobs.names.join(', ')}.`);
        return jobs.runNow(name);
      });
    });
}

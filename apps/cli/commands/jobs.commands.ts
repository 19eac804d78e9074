import type { Command } from 'commander';
import { Jobs } from '#platform/jobs/jobs';
import { answer } from '../answer';

export function jobsCommands(program: Command): void {
  program
    .command('jobs')
    .description('scheduled jobs')
    .command('run <name>')
    .description('runs a job immediately and prints its result')
    .action(async (name: string) => {
      await answer((app) => app.get(Jobs).runNow(name));
    });
}

import type { Command } from 'commander';
import { loadSettings } from '#platform/config/load-settings';
import { DatabaseServer } from '#platform/database/database-server';
import { planMigrations } from '#platform/database/migration-plan';
import { migrate } from '#platform/database/migrations';
import { print } from '../print';
import { terminal } from '../terminal';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('applies migrations; several processes may run this command at the same time')
    .option(
      '--plan',
      'applies nothing; lists the pending migrations and the tables that they lock against writers or readers',
    )
    .action(async ({ plan = false }: { plan?: boolean }) => {
      const server = await DatabaseServer.open(loadSettings(terminal().environment));
      try {
        await print(plan ? { planned: await planMigrations(server.url) } : { applied: await migrate(server.url) });
      } finally {
        await server.release();
      }
    });
}

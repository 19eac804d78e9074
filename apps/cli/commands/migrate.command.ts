import type { Command } from 'commander';
import { loadSettings } from '#platform/config/settings';
import { DatabaseServer } from '#platform/database/database-server';
import { migrate } from '#platform/database/migrations';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('applies migrations; several at once are safe')
    .action(async () => {
      const server = await DatabaseServer.open(loadSettings());
      try {
        process.stdout.write(`${JSON.stringify({ applied: await migrate(server.url) }, null, 2)}\n`);
      } finally {
        await server.release();
      }
    });
}

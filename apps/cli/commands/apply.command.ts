import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ApplyCommands } from '#areas/apply/apply.commands';
import { AuditLog } from '#platform/audit/audit-log';
import { readDocument } from '../document-file';
import { answer } from '../session';

export function applyCommand(program: Command): void {
  program
    .command('apply <file>')
    .description('makes everything a document names, in one transaction; “-” reads it from stdin')
    .addHelpText(
      'after',
      '\nApplied again, users are changed by slug and events by organizer and key. Tokens that the document names are replaced,\nevents without a key and Puls posts are made again.\n',
    )
    .action(async (file: string) => {
      const document = readDocument(file);
      // Paths of pictures are relative to the document, or to the working directory.
      const folder = file === '-' ? process.cwd() : dirname(resolve(file));
      await answer((app) =>
        app
          .get(ApplyCommands)
          .apply(document, folder, (tx) => app.get(AuditLog).record(tx, { actorId: null, action: 'apply' })),
      );
    });
}

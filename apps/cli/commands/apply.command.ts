import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ApplyCommands } from '#areas/apply/apply.commands';
import { readDocument } from '../document-file';
import { recordAction } from '../audit';
import { answer } from '../answer';

export function applyCommand(program: Command): void {
  program
    .command('apply <file>')
    .description('creates or changes everything in a document, in one transaction; “-” reads the document from stdin')
    .addHelpText(
      'after',
      '\nA document can be applied again. A user with the same slug is changed, and so is an event with the same organizer and key.\nA token in the document replaces the token of the same name. Puls posts, and events without a key, are created again.\n',
    )
    .action(async (file: string) => {
      const document = readDocument(file);
      // Paths of pictures are relative to the folder of the document or, for stdin, to the working directory.
      const folder = file === '-' ? process.cwd() : dirname(resolve(file));
      await answer((app) =>
        app.get(ApplyCommands).apply(document, folder, (tx) => recordAction(app, tx, { action: 'apply' })),
      );
    });
}

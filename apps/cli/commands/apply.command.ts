import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ApplyCommands } from '#areas/apply/apply.commands';
import { Mistake } from '#platform/config/mistake';
import { answer } from '../session';

const STDIN = 0;

export function applyCommand(program: Command): void {
  program
    .command('apply <file>')
    .description('makes everything a document names, in one transaction; “-” reads it from stdin')
    .action(async (file: string) => {
      const document = parsed(readFileSync(file === '-' ? STDIN : file, 'utf8'));
      // Pictures are named relative to the document, or to where the command runs.
      const folder = file === '-' ? process.cwd() : dirname(resolve(file));
      await answer((app) => app.get(ApplyCommands).apply(document, folder));
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Mistake(`The document is not JSON: ${(error as Error).message}`);
  }
}

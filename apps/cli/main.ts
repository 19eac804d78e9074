import { Command, CommanderError } from 'commander';
import { applyCommand } from './commands/apply.command';
import { auditCommands } from './commands/audit.commands';
import { backupCommands } from './commands/backup.commands';
import { contentCommands } from './commands/content.commands';
import { creditsCommands } from './commands/credits.commands';
import { figuresCommands } from './commands/figures.commands';
import { doctorCommand } from './commands/doctor.command';
import { eventCommands } from './commands/event.commands';
import { jobsCommands } from './commands/jobs.commands';
import { migrateCommand } from './commands/migrate.command';
import { initCommand, secretCommands } from './commands/secret.commands';
import { objectionCommands } from './commands/objection.commands';
import { reportCommands } from './commands/report.commands';
import { tokenCommands } from './commands/token.commands';
import { userCommands } from './commands/user.commands';
import { explain } from './explain';

/** The operator's command line (README): one JSON document on stdout, everything else on stderr, exit code 0 or 1. */
async function main(): Promise<void> {
  const program = new Command('cli').description('The operator’s command line.').exitOverride().configureOutput({
    writeOut: (text) => process.stderr.write(text),
  });
  for (const add of [userCommands, tokenCommands, creditsCommands, eventCommands, jobsCommands, migrateCommand, initCommand, secretCommands, backupCommands, figuresCommands, doctorCommand, applyCommand, contentCommands, reportCommands, objectionCommands, auditCommands]) add(program);
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1;
    else {
      process.stderr.write(`${explain(error)}\n`);
      // What a start had opened before it failed (Redis, say) would keep the process.
      process.exit(1);
    }
  }
}

void main();

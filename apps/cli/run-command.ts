import { Command, CommanderError } from 'commander';
import { applyCommand } from './commands/apply.command';
import { appCommands } from './commands/app.commands';
import { auditCommands } from './commands/audit.commands';
import { backupCommands } from './commands/backup.commands';
import { contentCommands } from './commands/content.commands';
import { creditsCommands } from './commands/credits.commands';
import { figuresCommands } from './commands/figures.commands';
import { doctorCommand } from './commands/doctor.command';
import { eventCommands } from './commands/event.commands';
import { jobsCommands } from './commands/jobs.commands';
import { maintenanceCommands } from './commands/maintenance.commands';
import { migrateCommand } from './commands/migrate.command';
import { initCommand, secretCommands } from './commands/secret.commands';
import { objectionCommands } from './commands/objection.commands';
import { reportCommands } from './commands/report.commands';
import { tokenCommands } from './commands/token.commands';
import { userCommands } from './commands/user.commands';
import { inOneLine } from '#platform/text/characters';
import { operatorName } from './operator-name';
import { explain } from './explain';
import { completeHelp } from './help';
import { terminal } from './terminal';

/**
 * Runs one command at the terminal and returns its exit code. If the command throws, the code is 1 and the reason is on
 * stderr. A failed start may leave resources open, so after the code 1 the caller must end the process.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = commandLine();
  try {
    await program.parseAsync(args, { from: 'user' });
    return terminal().exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    terminal().stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** The program with all commands. It writes help and usage errors to the stderr of the current terminal. */
export function commandLine(): Command {
  const { stderr } = terminal();
  const program = new Command('cli')
    .description('The operator’s command line.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stderr.write(text),
      writeErr: (text) => stderr.write(text),
      // Each error is on one line, even if commander adds a suggestion or the operator has typed a line break.
      outputError: (text, write) => write(`${inOneLine(text.trimEnd())}\n`),
    });
  for (const add of [
    userCommands,
    tokenCommands,
    creditsCommands,
    eventCommands,
    jobsCommands,
    maintenanceCommands,
    migrateCommand,
    initCommand,
    secretCommands,
    backupCommands,
    figuresCommands,
    doctorCommand,
    applyCommand,
    contentCommands,
    reportCommands,
    objectionCommands,
    appCommands,
    auditCommands,
  ])
    add(program);
  completeHelp(program);
  program.hook(
    'preAction',
    (_, command) => void (terminal().operator = operatorName(command.optsWithGlobals<{ as?: string }>().as)),
  );
  return program;
}

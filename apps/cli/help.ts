import type { Command } from 'commander';

const CLI = 'npm run --silent cli --';

/** The examples of each command. If an example does not contain `CLI`, `completeHelp` adds `CLI` before the example. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'user create': [
    'user create jana --name "Jana Nováková" --email jana@example.org --premium-until 2030-01-01T00:00:00Z',
    `echo "$PASSWORD" | ${CLI} user create petr --name Petr --admin --password -`,
  ],
  'user update': ['user update jana --verified --nickname ""', 'user update jana --avatar /tmp/jana.jpg'],
  'user show': ['user show jana'],
  'user list': ['user list --query novak', 'user list --after jana'],
  'user find': ['user find jana@example.org'],
  'user second-step-off': ['user second-step-off jana'],
  'user export': ['user export jana /tmp/jana.zip'],
  'user erase': ['user erase jana'],
  'user ban': ['user ban petr --days 7 --reason "threats"', 'user ban petr'],
  'user unban': ['user unban petr'],
  'token create': [
    'token create jana --name app --access write',
    'token create jana --name door --access read --expires-at 2030-01-01T00:00:00Z',
  ],
  'token list': ['token list jana'],
  'token revoke': ['token revoke jana ZejnyXmQ'],
  'app list': ['app list'],
  'app show': ['app show 7f9c2ba4e88f827d'],
  'app suspend': ['app suspend 7f9c2ba4e88f827d'],
  'app resume': ['app resume 7f9c2ba4e88f827d'],
  'app update': ['app update 7f9c2ba4e88f827d --ip-window 3000', 'app update 7f9c2ba4e88f827d --ip-window none'],
  'credits grant': ['credits grant jana 100'],
  'event price': ['event price kTzMbLqa 50'],
  'event boost': ['event boost kTzMbLqa --until 2030-01-01T00:00:00Z', 'event boost kTzMbLqa --until ""'],
  'event import': ['event import events.json', `curl -s https://example.org/events.json | ${CLI} event import -`],
  'jobs run': ['jobs run media-sweep'],
  'maintenance on': ['maintenance on --message "New disks until 22:00."'],
  'maintenance off': ['maintenance off'],
  'maintenance show': ['maintenance show'],
  migrate: ['migrate --plan', 'migrate'],
  init: [`${CLI} init && docker compose up`],
  'secret rotate': ['secret rotate', `openssl rand -hex 32 | tee new-secret | ${CLI} secret rotate --to -`],
  backup: [
    'backup /srv/backups --keep 14',
    'backup s3://bucket/events --keep 14',
    `${CLI} backup - | ssh elsewhere "cat > events.tar"`,
  ],
  'backup verify': ['backup verify /srv/backups', 'backup verify s3://bucket/events'],
  restore: ['restore /srv/backups', 'restore s3://bucket/events', `ssh elsewhere "cat events.tar" | ${CLI} restore -`],
  stats: ['stats'],
  queue: ['queue'],
  doctor: ['doctor'],
  apply: ['apply people.json', `echo '{"users": [{"slug": "jana", "name": "Jana"}]}' | ${CLI} apply -`],
  'content remove': ['content remove comment kTzMbLqa --reason "advertising"'],
  'content restore': ['content restore comment kTzMbLqa'],
  'report list': ['report list'],
  'report decide': [
    'report decide kTzMbLqa remove --reason "advertising"',
    'report decide kTzMbLqa ban --days 7 --reason "threats"',
  ],
  'objection list': ['objection list'],
  'objection answer': ['objection answer kTzMbLqa grant --reason "not what it seemed"'],
  'audit list': ['audit'],
  'audit verify': ['audit verify'],
};

/** The commands that have an action. Commands that only group subcommands are not included. `name`: the full name. */
export function commandsWithAction(
  program: Command,
  parentNames: readonly string[] = [],
): { readonly name: string; readonly command: Command }[] {
  return program.commands.flatMap((command) => {
    const names = [...parentNames, command.name()];
    const inner = commandsWithAction(command, names);
    // `backup` has subcommands, and also has an action.
    const hasAction = inner.length === 0 || command.registeredArguments.length > 0;
    return [...(hasAction ? [{ name: names.join(' '), command }] : []), ...inner];
  });
}

/**
 * Adds examples, `--as` and `--json` to every command that has an action. `--json` has no effect, because every command
 * prints JSON.
 */
export function completeHelp(program: Command): void {
  for (const { name, command } of commandsWithAction(program)) {
    command.option('--json', 'prints one JSON document on stdout; this is also the default');
    command.option('--as <name>', 'the operator’s name for the audit log; default: the user of the operating system');
    const lines = (EXAMPLES[name] ?? []).map((line) => (line.includes(CLI) ? line : `${CLI} ${line}`));
    command.addHelpText(
      'after',
      `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}

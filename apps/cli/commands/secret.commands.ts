import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { OperatorError } from '#platform/config/operator-error';
import { adoptNextSecret, freshSecret, nextSecret, storedSecret, writeOwnFile } from '#platform/config/secret';
import { loadSettings, readSettings } from '#platform/config/load-settings';
import { DatabaseServer } from '#platform/database/database-server';
import { migrate } from '#platform/database/migrations';
import { rotateSecret } from '#platform/installation/rotation';
import { print } from '../print';
import { terminal } from '../terminal';
import { utf8Text } from '../utf8-text';

const MIN_LENGTH = 32;

export function initCommand(program: Command): void {
  program
    .command('init')
    .description(
      'creates .env if it does not exist; its secret is APP_SECRET, or else the secret in DATA_DIR, or else a new one',
    )
    .action(async () => {
      const path = resolve('.env');
      const { appSecret, dataDir } = readSettings({ ...terminal().environment, NODE_ENV: '' });
      if (appSecret !== '' && appSecret.length < MIN_LENGTH)
        throw new OperatorError(`APP_SECRET must have ${MIN_LENGTH} characters or more.`);
      const secret = appSecret || storedSecret(dataDir) || freshSecret();
      const made = writeOwnFile(path, `${secretLine(secret)}\n`);
      const { APP_SECRET: written = '' } = parseEnv(readFileSync(path, 'utf8'));
      if (written.length < MIN_LENGTH)
        throw new OperatorError(
          `${path} has no APP_SECRET of ${MIN_LENGTH} characters or more: add one, or delete the file.`,
        );
      await print({ file: path, made });
    });
}

/**
 * The line of .env that sets the secret. If the value had no quotes around it, programs that read the file would cut
 * the value at `#`, remove quotes in the value, or replace `$`. Node.js, systemd and Docker Compose read a value
 * between apostrophes unchanged.
 */
export function secretLine(secret: string): string {
  if (/^[\w+/=.:@%-]+$/.test(secret)) return `APP_SECRET=${secret}`;
  if (/['\\]|\p{C}/u.test(secret))
    throw new OperatorError(
      'APP_SECRET contains an apostrophe, a backslash or a control character, which .env cannot contain.',
    );
  return `APP_SECRET='${secret}'`;
}

export function secretCommands(program: Command): void {
  program
    .command('secret')
    .description('the installation’s secret')
    .command('rotate')
    .description('encrypts all sealed (encrypted) texts with a new secret; ids and links stay valid, web sessions end')
    .option(
      '--to <source>',
      'where the new secret comes from: - for stdin; required if APP_SECRET is set. Afterwards, set APP_SECRET to it',
    )
    .addHelpText(
      'after',
      '\nRestart every server immediately afterwards: until its restart, a server cannot read sealed texts.\nIf the command is interrupted, run it again: it completes the rotation.\n',
    )
    .action(async ({ to }: { to?: string }) => {
      const settings = loadSettings(terminal().environment);
      const isStored = readSettings(terminal().environment).appSecret === '';
      const next = isStored ? nextInDataDir(settings.dataDir, to) : nextFromStdin(to);
      const server = await DatabaseServer.open(settings);
      try {
        await migrate(server.url);
        const rotation = await rotateSecret(server.url, settings.appSecret, next);
        if (isStored) adoptNextSecret(settings.dataDir);
        await print(rotation);
      } finally {
        await server.release();
      }
    });
}

function nextInDataDir(dataDir: string, to: string | undefined): string {
  if (to !== undefined)
    throw new OperatorError('The secret is stored in DATA_DIR, and the new secret is created there: leave out --to.');
  return nextSecret(dataDir);
}

function nextFromStdin(to: string | undefined): string {
  if (to !== '-')
    throw new OperatorError(
      'APP_SECRET is set: give the new secret on stdin (--to -), and set APP_SECRET to it afterwards.',
    );
  const next = utf8Text(terminal().readStdin(), 'The new secret').trim();
  // `\p{C}` matches invisible characters, including NUL, which an environment variable cannot contain.
  if (next.length < MIN_LENGTH || /[\s\p{C}]/u.test(next))
    throw new OperatorError(
      `The new secret must have ${MIN_LENGTH} characters or more, all of them visible, and no spaces.`,
    );
  return next;
}

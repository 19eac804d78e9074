import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApplyCommands } from '#areas/apply/apply.commands';
import type { Expected, UserFields } from '#areas/apply/apply-users';
import { Mistake } from '#platform/config/mistake';
import { accountDocument } from '../account-document';
import { answer } from '../session';
import { addUserFlags, userFieldsFrom } from '../user-flags';

export function userCommands(program: Command): void {
  const user = program.command('user').description('accounts');

  addUserFlags(user.command('create <slug>').description('makes an account and prints it')).action(async (slug: string, _options, command: Command) => {
    const fields = userFieldsFrom(command);
    if (!fields.name) throw new Mistake('--name is required.');
    await answer((app) => written(app, slug, fields, 'new'));
  });

  addUserFlags(user.command('update <slug>').description('changes what is said and prints the account')).action(async (slug: string, _options, command: Command) => {
    const fields = userFieldsFrom(command);
    await answer((app) => written(app, slug, fields, 'known'));
  });

  user.command('show <slug>').description('prints every field, tokens without secrets').action(async (slug: string) => {
    await answer((app) => accountDocument(app, slug));
  });

  for (const [name, banned] of [['ban', true], ['unban', false]] as const) {
    user.command(`${name} <slug>`).description(`${name}s an account from its next request on`).action(async (slug: string) => {
      await answer((app) => written(app, slug, { banned }, 'known'));
    });
  }
}

async function written(app: INestApplicationContext, slug: string, fields: UserFields, expected: Expected): Promise<object> {
  await app.get(ApplyCommands).account(slug, fields, expected);
  return accountDocument(app, slug);
}

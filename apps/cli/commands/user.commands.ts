import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { isUserSlug } from '#areas/identity/user.policy';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { Database, type Transaction } from '#platform/database/database';
import type { User } from '#areas/identity/user.entity';
import { accountDocument } from '../account-document';
import { Mistake } from '#platform/config/mistake';
import { answer } from '../session';
import { addUserFlags, userFieldsFrom } from '../user-flags';

export function userCommands(program: Command): void {
  const user = program.command('user').description('accounts');

  addUserFlags(user.command('create <slug>').description('makes an account and prints it')).action(async (slug: string, _options, command: Command) => {
    const fields = userFieldsFrom(command);
    if (!isUserSlug(slug)) throw new Mistake('A slug has lower-case letters, digits and inner hyphens, at most 60.');
    const { name } = fields;
    if (!name) throw new Mistake('--name is required.');
    await answer(async (app) => {
      await app.get(Database).transaction(async (tx) => {
        if (await app.get(UsersReader).bySlug(slug)) throw new Mistake(`There is a user ${slug} already.`);
        await app.get(UsersCommands).create(tx, slug, { ...fields, name });
      });
      return accountDocument(app, slug);
    });
  });

  addUserFlags(user.command('update <slug>').description('changes what is said and prints the account')).action(async (slug: string, _options, command: Command) => {
    const fields = userFieldsFrom(command);
    await answer((app) => changed(app, slug, (tx, found) => app.get(UsersCommands).update(tx, found, fields)));
  });

  user.command('show <slug>').description('prints every field, tokens without secrets').action(async (slug: string) => {
    await answer((app) => accountDocument(app, slug));
  });

  for (const [name, banned] of [['ban', true], ['unban', false]] as const) {
    user.command(`${name} <slug>`).description(`${name}s an account from its next request on`).action(async (slug: string) => {
      await answer((app) => changed(app, slug, (tx, found) => app.get(UsersCommands).update(tx, found, { banned })));
    });
  }
}

async function changed(app: INestApplicationContext, slug: string, change: (tx: Transaction, user: User) => Promise<unknown>): Promise<unknown> {
  await app.get(Database).transaction(async (tx) => {
    const found = await app.get(UsersReader).lockBySlug(tx, slug);
    if (!found) throw new Mistake(`There is no user ${slug}.`);
    await change(tx, found);
  });
  return accountDocument(app, slug);
}

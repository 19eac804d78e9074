import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApplyCommands } from '#areas/apply/apply.commands';
import type { Expected, SentUserFields } from '#areas/apply/apply-users';
import type { User } from '#areas/identity/user.entity';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';
import type { Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { accountDocument } from '../account-document';
import { recordAction, type ActionEntry } from '../audit';
import { requiredReason } from '../reason';
import { answer } from '../answer';
import { addUserFlags, userFieldsFrom } from '../user-flags';
import { wholeNumber } from '../whole-number';
import { withUser } from '../with-user';

const DAY_MS = 86_400_000;
/** Maximum number of accounts that `user list` prints. */
const MAX_LISTED = 10_000;

export function userCommands(program: Command): void {
  const user = program.command('user').description('accounts');

  addUserFlags(user.command('create <slug>').description('creates an account and prints it')).action(
    async (slug: string, _options, command: Command) => {
      const fields = await userFieldsFrom(command);
      if (!fields.name) throw new OperatorError('--name is required.');
      await answer((app) => writeAccount(app, slug, fields, 'new'));
    },
  );

  addUserFlags(user.command('update <slug>').description('changes the given fields and prints the account')).action(
    async (slug: string, _options, command: Command) => {
      const fields = await userFieldsFrom(command);
      await answer((app) => writeAccount(app, slug, fields, 'known'));
    },
  );

  user
    .command('show <slug>')
    .description('prints every field of an account; tokens are printed without their secrets')
    .action(async (slug: string) => {
      await answer((app) => accountDocument(app, slug));
    });

  user
    .command('list')
    .description('prints accounts in the order of their slugs')
    .option('--query <text>', 'only accounts with this text in slug, name, nickname or e-mail address')
    .option('--after <slug>', 'continues after this slug', '')
    .option('--limit <number>', 'maximum number of accounts', '100')
    .action(async ({ query, after, limit }: { query?: string; after: string; limit: string }) => {
      const count = wholeNumber('--limit', limit, MAX_LISTED);
      await answer(async (app) => {
        const wire = app.get(WireFormat);
        const accounts = await app.get(UsersReader).list(query ?? null, after, count);
        return accounts.map(({ id, slug, name, email, banned, created_at }) => ({
          id: wire.id('user', id),
          slug,
          name,
          email,
          banned,
          created_at: toWire(created_at),
        }));
      });
    });

  user
    .command('find <e-mail|slug|id>')
    .description('finds an account by its e-mail address, slug or id, and prints it like `user show`')
    .action(async (text: string) => {
      await answer(async (app) => {
        const reader = app.get(UsersReader);
        const id = app.get(WireFormat).ids.decode('user', text);
        const account =
          (await reader.bySlug(text)) ?? (await reader.byEmail(text)) ?? (id === null ? null : await reader.byId(id));
        if (!account) throw new OperatorError(`There is nobody with the address, slug or id ${text}.`);
        return accountDocument(app, account.slug);
      });
    });

  user
    .command('second-step-off <slug>')
    .description(
      'removes the authenticator app, passkeys and recovery codes of a person who has lost them; sign-in then requires only the password',
    )
    .action(async (slug: string) => {
      await answer((app) =>
        withUser(app, slug, async (tx, account) => {
          const secondStep = app.get(SecondStepCommands);
          const { isOn } = await secondStep.stateOf(tx, account.id);
          await secondStep.turnOff(tx, account.id);
          await recordAction(app, tx, { action: 'user second-step-off', subject: `user ${slug}` });
          return { slug, was_on: isOn };
        }),
      );
    });

  user
    .command('export <slug> <file>')
    .description('writes everything about a person to a ZIP file; an existing file is refused')
    .action(async (slug: string, file: string) => {
      // `resolve` converts an empty text, such as the value of a missing variable, to the current folder.
      if (file.trim() === '') throw new OperatorError('The name of the file must not be empty.');
      if (file === '-')
        throw new OperatorError('The export is written to a file, not to stdout. For a file named -, write ./-');
      const path = resolve(file);
      await answer(async (app) => ({ slug, file: path, ...(await app.get(OwnDataCommands).export(slug, path)) }));
    });

  user
    .command('erase <slug>')
    .description(
      'erases a person immediately and permanently; content that other people need remains, without the person’s name',
    )
    .action(async (slug: string) => {
      await answer(async (app) => {
        await app.get(OwnDataCommands).erase(slug);
        return { slug, erased: true };
      });
    });

  user
    .command('ban <slug>')
    .description('bans an account; the ban applies from the next request')
    .option('--days <number>', 'duration of the ban; without --days the ban is permanent')
    .option('--reason <text>', 'the reason; stored in the audit log')
    .action(async (slug: string, { days, reason }: { days?: string; reason?: string }) => {
      const dayCount = days === undefined ? null : wholeNumber('--days', days, LIMITS.moderation.days.max);
      const text = reason === undefined ? null : requiredReason(reason);
      await answer((app) =>
        changeBan(
          app,
          slug,
          { action: 'user ban', reason: text, details: dayCount === null ? {} : { days: dayCount } },
          (tx, account) =>
            app
              .get(UsersCommands)
              .replaceBan(
                tx,
                account,
                dayCount === null ? null : new Date(app.get(Clock).now().getTime() + dayCount * DAY_MS),
              ),
        ),
      );
    });

  user
    .command('unban <slug>')
    .description('ends the ban of an account, from the next request')
    .action(async (slug: string) => {
      await answer((app) =>
        changeBan(app, slug, { action: 'user unban' }, async (tx, account) => {
          await app.get(UsersCommands).update(tx, account, { banned: false });
        }),
      );
    });
}

async function changeBan(
  app: INestApplicationContext,
  slug: string,
  entry: ActionEntry,
  change: (tx: Transaction, account: User) => Promise<void>,
): Promise<object> {
  await withUser(app, slug, async (tx, account) => {
    await change(tx, account);
    await recordAction(app, tx, { ...entry, subject: `user ${slug}` });
  });
  return accountDocument(app, slug);
}

async function writeAccount(
  app: INestApplicationContext,
  slug: string,
  fields: SentUserFields,
  expected: Expected,
): Promise<object> {
  // The audit log records which fields the command has written, not their values.
  const entry = {
    action: expected === 'new' ? 'user create' : 'user update',
    subject: `user ${slug}`,
    details: { fields: Object.keys(fields).sort() },
  };
  await app.get(ApplyCommands).account(slug, fields, expected, (tx) => recordAction(app, tx, entry));
  return accountDocument(app, slug);
}

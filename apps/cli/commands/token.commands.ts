import type { Command } from 'commander';
import { TokenDto } from '#areas/identity/token.dto';
import { accessOf, TokensCommands, TooManyTokens } from '#areas/identity/tokens.commands';
import { readInput } from '#platform/http/input';
import { PublicIds } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { tokenDocument } from '../account-document';
import { OperatorError } from '#platform/config/operator-error';
import { recordAction } from '../audit';
import { answer } from '../answer';
import { withUser } from '../with-user';

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('access tokens');

  token
    .command('create <slug>')
    .description('creates a token and prints it; it cannot be printed again')
    .requiredOption('--name <name>', 'the name of the token in lists')
    .option('--access <access>', 'read or write; either this or --scopes')
    .option('--scopes <list>', 'scopes separated by commas, such as events:read,join')
    .option('--expires-at <time>', 'ISO 8601; without it the token does not expire')
    .action(async (slug: string, options: { name: string; access?: string; scopes?: string; expiresAt?: string }) => {
      const { name, expires_at, ...rights } = await readInput(
        TokenDto,
        {
          name: options.name,
          access: options.access,
          scopes: options.scopes?.split(',').map((one) => one.trim()),
          expires_at: options.expiresAt,
        },
        'json',
      );
      const { access, scopes } = accessOf(rights);
      await answer((app) =>
        withUser(app, slug, async (tx, user) => {
          if (expires_at && expires_at <= app.get(Clock).now())
            throw new OperatorError('--expires-at must be in the future.');
          const tokenInput = { name, access, scopes, expiresAt: expires_at ?? null };
          const created = await app
            .get(TokensCommands)
            .create(tx, user.id, tokenInput)
            .catch((error: unknown) => {
              throw error instanceof TooManyTokens ? new OperatorError(error.message) : error;
            });
          const id = app.get(WireFormat).id('token', created.token.id);
          await recordAction(app, tx, {
            action: 'token create',
            subject: `user ${slug}`,
            details: scopes ? { token: id, scopes } : { token: id, access },
          });
          return {
            id,
            name,
            access: scopes ? null : access,
            scopes,
            expires_at: toWire(created.token.expiresAt),
            created_at: toWire(created.token.createdAt),
            token: created.secret,
          };
        }),
      );
    });

  token
    .command('list <slug>')
    .description('prints the tokens without secrets')
    .action(async (slug: string) => {
      await answer((app) =>
        withUser(app, slug, async (tx, user) => {
          const tokens = await app.get(TokensCommands).list(tx, user.id);
          return tokens.map((one) => tokenDocument(one, app.get(WireFormat)));
        }),
      );
    });

  token
    .command('revoke <slug> <id>')
    .description('revokes a token: from now on, every request with it is refused')
    .action(async (slug: string, hashid: string) => {
      await answer((app) =>
        withUser(app, slug, async (tx, user) => {
          const id = app.get(PublicIds).decode('token', hashid);
          if (id === null || !(await app.get(TokensCommands).revoke(tx, user.id, id)))
            throw new OperatorError(`${slug} has no token ${hashid}.`);
          await recordAction(app, tx, {
            action: 'token revoke',
            subject: `user ${slug}`,
            details: { token: hashid },
          });
          return { id: hashid, revoked: true };
        }),
      );
    });
}

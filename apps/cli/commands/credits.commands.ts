import type { Command } from 'commander';
import { GrantDto } from '#areas/apply/apply.dto';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { CreditsReader } from '#areas/credits/credits.reader';
import { readInput } from '#platform/http/input';
import { recordAction } from '../audit';
import { answer } from '../answer';
import { withUser } from '../with-user';

export function creditsCommands(program: Command): void {
  const credits = program.command('credits').description('the ledger of credits');

  credits
    .command('grant <slug> <amount>')
    .description('adds credits to an account, records this in the ledger, and prints the account’s credits')
    .action(async (slug: string, text: string) => {
      const { amount } = await readInput(GrantDto, { amount: text }, 'text');
      await answer((app) =>
        withUser(app, slug, async (tx, user) => {
          await app.get(CreditsCommands).grant(tx, user.id, amount);
          const credits = await app.get(CreditsReader).creditsOf(tx, user.id);
          await recordAction(app, tx, { action: 'credits grant', subject: `user ${slug}`, details: { amount } });
          return { slug, credits };
        }),
      );
    });
}

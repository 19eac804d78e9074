import type { Command } from 'commander';
import type { AppRow } from '#areas/apps/app.query';
import { AppsCommands } from '#areas/apps/apps.commands';
import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';
import { toWire } from '#platform/time/wire-time';
import { answer } from '../answer';
import { wholeNumber } from '../whole-number';

export function appCommands(program: Command): void {
  const app = program.command('app').description('apps that people connect to their accounts');

  app
    .command('list')
    .description('prints all apps, the oldest first')
    .action(async () => {
      await answer(async (service) => (await service.get(AppsCommands).list()).map(appDocument));
    });

  app
    .command('show <client>')
    .description('prints an app, the number of its grants, and the number of the people who gave them')
    .action(async (client: string) => {
      await answer(async (service) => {
        const commands = service.get(AppsCommands);
        const row = await commands.byClientId(client);
        if (!row) throw unknownApp(client);
        return { ...appDocument(row), ...(await commands.countGrants(row)) };
      });
    });

  app
    .command('suspend <client>')
    .description('refuses the tokens of an app from the next request on, and stops its webhooks and door links')
    .action((client: string) => suspendOrResume(client, 'suspend'));

  app
    .command('resume <client>')
    .description('ends the suspension of an app; its grants, webhooks and door links work again')
    .action((client: string) => suspendOrResume(client, 'resume'));

  app
    .command('update <client>')
    .description(
      'gives a confidential app its own limit of requests per minute, instead of the limit of its IP address',
    )
    .requiredOption(
      '--ip-window <n>',
      'requests per minute; “none” removes the app’s own limit: then each request counts towards the limit of its IP address',
    )
    .action(async (client: string, { ipWindow }: { ipWindow: string }) => {
      const limit = ipWindow === 'none' ? null : wholeNumber('--ip-window', ipWindow, LIMITS.apps.ip_window.max);
      await answer(async (service) => {
        const commands = service.get(AppsCommands);
        const row = await commands.byClientId(client);
        if (!row) throw unknownApp(client);
        if (!row.is_confidential)
          throw new OperatorError(`${client} is a public app, which cannot have its own limit.`);
        await commands.setIpWindow(client, limit);
        return { client_id: client, ip_window: limit };
      });
    });
}

async function suspendOrResume(client: string, action: 'suspend' | 'resume'): Promise<void> {
  await answer(async (service) => {
    if (!(await service.get(AppsCommands)[action](client))) throw unknownApp(client);
    return { client_id: client, suspended: action === 'suspend' };
  });
}

function unknownApp(client: string): OperatorError {
  return new OperatorError(`There is no app ${client}.`);
}

function appDocument(row: AppRow): object {
  return {
    client_id: row.client_id,
    name: row.name,
    origin: row.origin,
    type: row.is_confidential ? 'confidential' : 'public',
    homepage: row.homepage,
    redirect_uris: row.redirect_uris,
    ip_window: row.ip_window,
    suspended_at: toWire(row.suspended_at),
    created_at: toWire(row.created_at),
  };
}

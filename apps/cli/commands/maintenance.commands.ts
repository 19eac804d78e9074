import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';
import { Database, type Transaction } from '#platform/database/database';
import { Maintenance, type MaintenanceState } from '#platform/maintenance/maintenance';
import { isDeceptive } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { recordAction } from '../audit';
import { answer } from '../answer';

const { min, max } = LIMITS.maintenance.message;

export function maintenanceCommands(program: Command): void {
  const maintenance = program.command('maintenance').description('maintenance mode, in which the service is read-only');

  maintenance
    .command('on')
    .description('makes all servers refuse every change with 503, from about a second later until `maintenance off`')
    .requiredOption('--message <text>', 'a text for people: the reason, and when they can write again')
    .action(async ({ message }: { message: string }) => {
      const text = message.trim();
      const { length } = [...text];
      if (length < min || length > max || isDeceptive(text))
        throw new OperatorError(
          `--message must be one line of ${min} to ${max} characters, without control and bidi characters.`,
        );
      await answer((app) =>
        changeState(app, async (tx) => {
          const state = await app.get(Maintenance).begin(tx, text, app.get(Clock).now());
          await recordAction(app, tx, { action: 'maintenance on', reason: text });
          return state;
        }),
      );
    });

  maintenance
    .command('off')
    .description('ends the maintenance on all servers within about a second')
    .action(async () => {
      await answer((app) =>
        changeState(app, async (tx) => {
          const ended = await app.get(Maintenance).end(tx);
          if (ended) await recordAction(app, tx, { action: 'maintenance off' });
          return null;
        }),
      );
    });

  maintenance
    .command('show')
    .description('prints whether maintenance is on, since when, and its message')
    .action(async () => {
      await answer(async (app) => stateDocument(await app.get(Maintenance).read()));
    });
}

async function changeState(
  app: INestApplicationContext,
  change: (tx: Transaction) => Promise<MaintenanceState | null>,
): Promise<object> {
  return stateDocument(await app.get(Database).transaction(change));
}

function stateDocument(state: MaintenanceState | null): object {
  return { on: state !== null, message: state?.message ?? null, since: state ? toWire(state.since) : null };
}

import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { UsersReader } from '#areas/identity/users.reader';
import { AuditLog } from '#platform/audit/audit-log';
import { OperatorError } from '#platform/config/operator-error';
import { toWire } from '#platform/time/wire-time';
import { answer } from '../answer';
import { wholeNumber } from '../whole-number';

const MAX_ENTRIES = 10_000;

export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('the actions of operators and moderators');

  audit
    .command('list', { isDefault: true })
    .description('prints the latest entries, newest first')
    .option('--limit <n>', 'maximum number of entries', '100')
    .option('--before <number>', 'only entries that are older than the entry with this number')
    .action(async ({ limit, before }: { limit: string; before?: string }) => {
      const count = wholeNumber('--limit', limit, MAX_ENTRIES);
      const beforeNumber = before === undefined ? null : wholeNumber('--before', before);
      await answer((app) => entries(app, beforeNumber, count));
    });

  audit
    .command('verify')
    .description('recomputes the whole chain of hashes; exit code 1 if an entry was changed, added or removed')
    .action(async () => {
      await answer(async (app) => {
        const verdict = await app.get(AuditLog).verify();
        if (!verdict.intact)
          throw new OperatorError(
            `The audit log was changed, or its key cannot be decrypted: entry ${verdict.firstBroken ?? 1} is the first that does not match.`,
          );
        return { intact: true, entries: verdict.entries };
      });
    });
}

async function entries(app: INestApplicationContext, beforeNumber: number | null, limit: number): Promise<object[]> {
  const rows = await app.get(AuditLog).entries(beforeNumber, limit);
  return Promise.all(
    rows.map(async ({ number, at, actor_id, action, subject, reason, details, operator }) => ({
      number: Number(number),
      at: toWire(at),
      by: actor_id === null ? null : ((await app.get(UsersReader).byId(Number(actor_id)))?.slug ?? 'deleted'),
      operator,
      action,
      subject,
      reason,
      details,
    })),
  );
}

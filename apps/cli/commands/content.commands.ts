import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ContentCommands, type RemovalStatus } from '#areas/moderation/content.commands';
import { ContentDecisions } from '#areas/moderation/content-decisions';
import { contentOf, type Content } from '#areas/moderation/contents';
import { CONTENT_KINDS, type ContentKind } from '#contract/vocabulary';
import { OperatorError } from '#platform/config/operator-error';
import { Database, type Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { toWire } from '#platform/time/wire-time';
import { requiredReason } from '../reason';
import { answer } from '../answer';

const KINDS = CONTENT_KINDS.join(', ');

export function contentCommands(program: Command): void {
  const content = program.command('content').description('hides content, and shows it again');

  content
    .command('remove <kind> <id>')
    .description(`hides content from everybody until it is restored; kinds: ${KINDS}; ids as in the API's paths`)
    .requiredOption('--reason <text>', 'the reason; stored, and sent to the author, who may object')
    .action(async (kind: string, id: string, { reason }: { reason: string }) => {
      const text = requiredReason(reason);
      await answer((app) =>
        applyChange(app, kind, id, (tx, thing) =>
          app.get(ContentDecisions).remove(tx, thing, { publicId: id, reason: text, actorId: null }),
        ),
      );
    });

  content
    .command('restore <kind> <id>')
    .description('shows removed content again, unchanged')
    .action(async (kind: string, id: string) => {
      await answer((app) =>
        applyChange(app, kind, id, (tx, thing, subject) =>
          app.get(ContentCommands).restore(tx, thing, { actorId: null, subject }),
        ),
      );
    });
}

type Change = (tx: Transaction, content: Content, subject: string) => Promise<RemovalStatus | null>;

async function applyChange(app: INestApplicationContext, kind: string, id: string, change: Change): Promise<object> {
  if (!isKind(kind)) throw new OperatorError(`There is no kind ${kind}; the kinds are ${KINDS}.`);
  return app.get(Database).transaction(async (tx) => {
    const content = await contentOf(tx, app.get(PublicIds), kind, id);
    const status = content && (await change(tx, content, `${kind} ${id}`));
    if (!status) throw new OperatorError(`There is no ${kind} ${id}.`);
    return { kind, id, removed_at: toWire(status.removedAt), reason: status.reason };
  });
}

function isKind(kind: string): kind is ContentKind {
  return (CONTENT_KINDS as readonly string[]).includes(kind);
}

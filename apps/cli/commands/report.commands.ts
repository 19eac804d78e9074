import type { Command } from 'commander';
import { DECISIONS, DecisionsService, type Decision } from '#areas/moderation/decisions.service';
import { ModerationQueue } from '#areas/moderation/moderation-queue.reader';
import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';
import { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { requiredReason } from '../reason';
import { answer } from '../answer';
import { wholeNumber } from '../whole-number';

const MAX_LISTED = 10_000;
const KINDS = DECISIONS.join(', ');

export function reportCommands(program: Command): void {
  const report = program.command('report').description('reports of content and people');

  report
    .command('list')
    .description('prints the reported things that wait for a decision')
    .option('--limit <number>', 'maximum number of things', '100')
    .action(async ({ limit }: { limit: string }) => {
      const count = wholeNumber('--limit', limit, MAX_LISTED);
      await answer(async (app) => {
        const wire = app.get(WireFormat);
        const waiting = await app.get(ModerationQueue).list(count);
        return waiting.map(
          ({
            report_id,
            subject_type,
            subject_sent,
            author,
            reports,
            reasons,
            notes,
            first_at,
            last_at,
            snapshot,
          }) => ({
            id: wire.id('report', report_id),
            subject_type,
            subject_id: subject_sent,
            author,
            reports,
            reasons,
            notes,
            first_at: toWire(first_at),
            last_at: toWire(last_at),
            snapshot:
              typeof snapshot['starts_at'] === 'string'
                ? { ...snapshot, starts_at: toWire(new Date(snapshot['starts_at'])) }
                : snapshot,
          }),
        );
      });
    });

  report
    .command('decide <id> <decision>')
    .description(`decides all open reports about the same thing as this report; decisions: ${KINDS}`)
    .requiredOption('--reason <text>', 'the reason; stored, and sent to the author of the thing')
    .option('--days <number>', 'duration of a ban; without --days the ban is permanent')
    .action(async (id: string, decision: string, { reason, days: daysText }: { reason: string; days?: string }) => {
      if (!isDecision(decision))
        throw new OperatorError(`There is no decision ${decision}; the decisions are ${KINDS}.`);
      const text = requiredReason(reason);
      if (daysText !== undefined && decision !== 'ban') throw new OperatorError('--days can be used only with ban.');
      const days = daysText === undefined ? null : wholeNumber('--days', daysText, LIMITS.moderation.days.max);
      await answer(async (app) => {
        const reportId = app.get(WireFormat).ids.decode('report', id);
        if (reportId === null) throw new OperatorError(`There is no report ${id}.`);
        return app.get(DecisionsService).decide(reportId, { decision, reason: text, days, actorId: null });
      });
    });
}

function isDecision(text: string): text is Decision {
  return (DECISIONS as readonly string[]).includes(text);
}

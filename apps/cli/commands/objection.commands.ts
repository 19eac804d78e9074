import type { Command } from 'commander';
import { ObjectionsService } from '#areas/moderation/objections.service';
import { OperatorError } from '#platform/config/operator-error';
import { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { requiredReason } from '../reason';
import { answer } from '../answer';

const MAX_LISTED = 1_000;

export function objectionCommands(program: Command): void {
  const objection = program
    .command('objection')
    .description('the objections of authors to decisions about their content');

  objection
    .command('list')
    .description('prints objections that wait for an answer, the oldest first')
    .action(async () => {
      await answer(async (app) => {
        const wire = app.get(WireFormat);
        const waiting = await app.get(ObjectionsService).unanswered(MAX_LISTED);
        return waiting.map(
          ({
            id,
            subject_type,
            subject_sent,
            author,
            action,
            days,
            reason,
            decided_at,
            objection: text,
            objected_at,
          }) => ({
            id: wire.id('decision', id),
            subject_type,
            subject_id: subject_sent,
            author,
            decision: action,
            days,
            reason,
            decided_at: toWire(decided_at),
            objection: text,
            objected_at: toWire(objected_at),
          }),
        );
      });
    });

  objection
    .command('answer <id> <answer>')
    .description('grant reverses the decision, dismiss confirms it; the author is notified')
    .requiredOption('--reason <text>', 'the reason; stored, and sent to the author')
    .action(async (id: string, verdict: string, { reason }: { reason: string }) => {
      if (verdict !== 'grant' && verdict !== 'dismiss')
        throw new OperatorError(`There is no answer ${verdict}; the answers are grant, dismiss.`);
      const text = requiredReason(reason);
      await answer(async (app) => {
        const decisionId = app.get(WireFormat).ids.decode('decision', id);
        if (decisionId === null) throw new OperatorError(`There is no objection ${id}.`);
        const { subject_type, subject_sent, action } = await app
          .get(ObjectionsService)
          .answer(decisionId, { granted: verdict === 'grant', reason: text, actorId: null });
        return {
          id,
          subject_type,
          subject_id: subject_sent,
          decision: action,
          answer: verdict === 'grant' ? 'granted' : 'dismissed',
        };
      });
    });
}

import { Injectable } from '@nestjs/common';
import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { DecisionNotices, newObjectionKey } from './decision-notices';
import { ADD_DECISION, type DecisionAction } from './decision.query';

/** For each decision: the outcome of the reports about which it was made. */
export const OUTCOMES = {
  dismiss: 'dismissed',
  remove: 'removed',
  warn: 'warned',
  ban: 'banned',
} as const satisfies Record<DecisionAction, ReportOutcome>;

/** A decision to store. */
export interface NewDecision {
  readonly type: ReportSubject;
  readonly id: number;
  /** The id or slug of the object, as sent in the first report or by the operator. */
  readonly sent: string;
  readonly snapshot: Readonly<Record<string, unknown>>;
  /** Null for a deleted account. */
  readonly authorId: number | null;
  readonly action: DecisionAction;
  /** Duration of a ban in days; null for a permanent ban and for other actions. */
  readonly days: number | null;
  /** When the author's ban ends; null for a permanent ban and for other actions. */
  readonly until: Date | null;
  readonly reason: string;
  /** Null if the decision comes from the command line. */
  readonly actorId: number | null;
}

/** Stores decisions. */
@Injectable()
export class DecisionRecords {
  constructor(
    private readonly notices: DecisionNotices,
    private readonly clock: Clock,
  ) {}

  /** Stores the decision. Notifies the author of the object, if there is an account and `action` is not `dismiss`. */
  async add(tx: Transaction, decision: NewDecision): Promise<void> {
    const { type, id, sent, snapshot, authorId, action, days, until, reason, actorId } = decision;
    const { key, hash } = newObjectionKey();
    const isObjectionAllowed = action !== 'dismiss' && authorId !== null;
    const [row] = await tx.rows<{ id: string }>(ADD_DECISION, [
      type,
      id,
      sent,
      JSON.stringify(snapshot),
      authorId,
      action,
      days,
      reason,
      actorId,
      this.clock.now(),
      isObjectionAllowed ? hash : null,
    ]);
    if (authorId === null) return;
    const outcome = OUTCOMES[action];
    await this.notices.notifyAuthor(tx, authorId, Number(row?.id), { type, snapshot, outcome, reason, until, key });
  }
}

import type { ChangeType } from '#contract/changes';
import { statement, type Queryable } from '../database/database';

/** Under what a change is found: whoever follows the topic reads it there, and is judged then. */
export type TopicKind = 'account' | 'event' | 'group';

/** One change as it is recorded. */
export interface RecordedChange {
  readonly topic: { readonly kind: TopicKind; readonly id: number };
  readonly type: ChangeType;
  /** The row it speaks of: its internal id. */
  readonly subjectId: number;
  /** What it is called in paths, where that is no id: a ticket's code, a post's slug. */
  readonly subjectText?: string;
}

const RECORD = statement(
  'changes_record',
  `SELECT record_change(kind, topic, type, subject, text)
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) WITH ORDINALITY AS told (kind, topic, type, subject, text, place)
    ORDER BY place`,
);

/**
 * Records changes in the transaction that makes them, in this order, in one statement. Most are recorded by triggers on the tables
 * they happen in (migrations 0145-0147), so that no way of writing forgets them; in SQL the same is `record_change(…)`.
 * Who did it is the transaction's own to say; what is `.gone` names nobody.
 */
export async function recordChanges(on: Queryable, changes: readonly RecordedChange[]): Promise<void> {
  if (changes.length === 0) return;
  await on.rows(RECORD, [
    changes.map(({ topic }) => topic.kind),
    changes.map(({ topic }) => topic.id),
    changes.map(({ type }) => type),
    changes.map(({ subjectId }) => subjectId),
    changes.map(({ subjectText }) => subjectText ?? null),
  ]);
}

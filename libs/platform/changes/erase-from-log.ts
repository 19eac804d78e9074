import { statement, type Transaction } from '../database/database';

/** Entries whose subject is a person. */
const IS_OF_PEOPLE = `c.type ~ '^(participant|member)\\.'`;

const DELETE_ENTRIES_FOR = statement(
  'changes_delete_told_to',
  `DELETE FROM changes WHERE topic_kind = 'account' AND topic_id = $1`,
);

/** $2 kinds of topics, $3 their ids, $4 the pseudonyms in them. */
const HAND_OVER_ENTRIES = statement(
  'changes_hand_over',
  `UPDATE changes c SET by_id = CASE c.by_id WHEN $1 THEN pseudonym.user_id ELSE c.by_id END, person_id = CASE c.person_id WHEN $1 THEN pseudonym.user_id ELSE c.person_id END,
          subject_id = CASE WHEN c.subject_id = $1 AND ${IS_OF_PEOPLE} THEN pseudonym.user_id ELSE c.subject_id END
     FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS pseudonym (kind, id, user_id)
    WHERE c.topic_kind = pseudonym.kind AND c.topic_id = pseudonym.id AND (c.by_id = $1 OR c.person_id = $1 OR (c.subject_id = $1 AND ${IS_OF_PEOPLE}))`,
);
const FORGET_PERSON = statement(
  'changes_forget_person',
  'UPDATE changes SET by_id = nullif(by_id, $1), person_id = nullif(person_id, $1) WHERE by_id = $1 OR person_id = $1',
);
const DELETE_OF_PERSON = statement(
  'changes_delete_of_person',
  `DELETE FROM changes c WHERE c.subject_id = $1 AND ${IS_OF_PEOPLE}`,
);

/** The person's pseudonyms by topic. */
export interface StandIns {
  readonly kinds: readonly string[];
  readonly topicIds: readonly number[];
  readonly userIds: readonly number[];
}

/** Deletes entries for a person; in entries for others the person is replaced by a pseudonym, or removed. */
export async function eraseFromLog(
  tx: Transaction,
  userId: number,
  { kinds, topicIds, userIds }: StandIns,
): Promise<void> {
  await tx.rows(DELETE_ENTRIES_FOR, [userId]);
  await tx.rows(HAND_OVER_ENTRIES, [userId, kinds, topicIds, userIds]);
  await tx.rows(FORGET_PERSON, [userId]);
  await tx.rows(DELETE_OF_PERSON, [userId]);
}

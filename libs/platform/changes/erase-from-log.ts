import { statement, type Transaction } from '../database/database';

/** SQL: whether the subject of the entry `c` is a person. */
const SUBJECT_IS_PERSON = `c.type ~ '^(participant|member)\\.'`;

/** The two tables of the log: entries with a number, and entries that have no number yet. */
const TABLES = { changes: 'changes', unnumbered: 'unnumbered_changes' } as const;

const STATEMENTS = Object.entries(TABLES).map(([name, table]) => ({
  deleteByTopic: statement(
    `${name}_delete_by_topic`,
    `DELETE FROM ${table} WHERE topic_kind = 'account' AND topic_id = $1`,
  ),
  /** $1: the person; $2: kinds of topics; $3: ids of these topics; $4: the replacement account for each topic. */
  handOver: statement(
    `${name}_hand_over`,
    `UPDATE ${table} c SET by_id = CASE c.by_id WHEN $1 THEN pseudonym.user_id ELSE c.by_id END, person_id = CASE c.person_id WHEN $1 THEN pseudonym.user_id ELSE c.person_id END,
          subject_id = CASE WHEN c.subject_id = $1 AND ${SUBJECT_IS_PERSON} THEN pseudonym.user_id ELSE c.subject_id END
     FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS pseudonym (kind, id, user_id)
    WHERE c.topic_kind = pseudonym.kind AND c.topic_id = pseudonym.id AND (c.by_id = $1 OR c.person_id = $1 OR (c.subject_id = $1 AND ${SUBJECT_IS_PERSON}))`,
  ),
  forgetPerson: statement(
    `${name}_forget_person`,
    `UPDATE ${table} SET by_id = nullif(by_id, $1), person_id = nullif(person_id, $1) WHERE by_id = $1 OR person_id = $1`,
  ),
  deleteBySubject: statement(
    `${name}_delete_by_subject`,
    `DELETE FROM ${table} c WHERE c.subject_id = $1 AND ${SUBJECT_IS_PERSON}`,
  ),
}));

/**
 * The accounts (pseudonyms) that replace the person, each in one topic (the event or group of an entry). Values with
 * the same index belong together.
 */
export interface ReplacementAccounts {
  readonly kinds: readonly string[];
  readonly topicIds: readonly number[];
  readonly userIds: readonly number[];
}

/**
 * Deletes the entries whose topic is the person's account. In all other entries, the replacement account of the topic
 * replaces the person. Without a replacement account, an entry whose subject is the person is deleted, and in other
 * entries null replaces the person.
 */
export async function eraseFromLog(
  tx: Transaction,
  userId: number,
  { kinds, topicIds, userIds }: ReplacementAccounts,
): Promise<void> {
  for (const { deleteByTopic, handOver, forgetPerson, deleteBySubject } of STATEMENTS) {
    await tx.rows(deleteByTopic, [userId]);
    await tx.rows(handOver, [userId, kinds, topicIds, userIds]);
    await tx.rows(forgetPerson, [userId]);
    await tx.rows(deleteBySubject, [userId]);
  }
}

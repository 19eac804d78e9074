import { statement } from '../database/database';

/**
 * Inserts the head (the row with the last hash) before the first entry, with an encrypted key and the hash of an empty
 * log. Does nothing if the head exists.
 */
export const BEGIN_LOG = statement(
  'audit_begin',
  `INSERT INTO audit_head (entries, last_hash, hash, key_sealed) VALUES (0, '', $1, $2) ON CONFLICT (only_one) DO NOTHING`,
);

/**
 * Makes all later statements of the transaction read the same snapshot. This statement must be the first one of the
 * transaction.
 */
export const READ_SNAPSHOT = statement('audit_snapshot', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
export const HEAD_OF_LOG = statement('audit_head', 'SELECT entries, last_hash, hash, key_sealed FROM audit_head');
/** Reads and locks the head. Until the transaction of this statement ends, other transactions cannot add entries. */
export const LOCK_HEAD_OF_LOG = statement('audit_lock_head', `${HEAD_OF_LOG.text} FOR UPDATE`);
export const MOVE_HEAD = statement('audit_move_head', 'UPDATE audit_head SET entries = $1, last_hash = $2, hash = $3');

const COLUMNS = 'number, at, actor_id, action, subject, reason, details, hash, operator';
export const ADD_ENTRY = statement(
  'audit_add',
  `INSERT INTO audit_entries (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** At most $2 entries with numbers above $1, oldest first. */
export const ENTRIES_AFTER = statement(
  'audit_after',
  `SELECT ${COLUMNS} FROM audit_entries WHERE number > $1 ORDER BY number LIMIT $2`,
);
/** At most $2 entries with numbers below $1 (null: the last entries), newest first. */
export const ENTRIES_BEFORE = statement(
  'audit_before',
  `SELECT ${COLUMNS} FROM audit_entries WHERE number < coalesce($1::bigint, 9223372036854775807) ORDER BY number DESC LIMIT $2`,
);

export interface HeadRow {
  readonly entries: string;
  /** The hash of the last entry; empty before the first entry. */
  readonly last_hash: string;
  /** The hash of `entries` and `last_hash`. */
  readonly hash: string;
  readonly key_sealed: string;
}

export interface EntryRow {
  readonly number: string;
  readonly at: Date;
  readonly actor_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The operator who ran the command. Null for actions of accounts and jobs, and in entries before migration 0327. */
  readonly operator: string | null;
  readonly hash: string;
}

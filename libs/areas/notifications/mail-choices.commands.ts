import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable, type Transaction } from '#platform/database/database';
import { NOTICE_KINDS, type NoticeKind } from './notice.texts';

/** Number of random bytes (128 bits) in the key that identifies an account in links for stopping mails. */
const KEY_BYTES = 16;

const SELECT_STOPPED_MAILS = statement('notifications_stopped', 'SELECT stopped FROM mail_choices WHERE user_id = $1');
const KEY_EXISTS = statement('notifications_key_exists', 'SELECT user_id FROM mail_choices WHERE key = $1');
const STOP_MAIL = statement(
  'notifications_stop',
  'UPDATE mail_choices SET stopped = array_append(array_remove(stopped, $2), $2) WHERE key = $1 RETURNING user_id',
);
const SELECT_KEY = statement('notifications_unsubscribe_key', 'SELECT key FROM mail_choices WHERE user_id = $1');
/** Stores the key $2 of user $1. No effect if the user already has a key. */
const ADD_KEY = statement(
  'notifications_add_unsubscribe_key',
  'INSERT INTO mail_choices (user_id, key) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
);
/** Stores that user $1 has stopped the mails of the kinds $3. If the user has no key yet, stores the key $2. */
const CHOOSE_MAILS = statement(
  'notifications_choose',
  'INSERT INTO mail_choices (user_id, key, stopped) VALUES ($1, $2, $3::text[]) ON CONFLICT (user_id) DO UPDATE SET stopped = excluded.stopped',
);

/** The kinds of notices that an account gets by mail (NOTE-8). The notices themselves are always stored. */
@Injectable()
export class MailChoicesCommands {
  constructor(private readonly database: Database) {}

  /** The kinds whose mails an account has stopped. */
  async stoppedKindsOf(userId: number, database: Queryable = this.database): Promise<readonly string[]> {
    const [row] = await database.rows<{ stopped: string[] }>(SELECT_STOPPED_MAILS, [userId]);
    return row?.stopped ?? [];
  }

  /**
   * Returns the key that identifies the account in links for stopping mails. Creates the key if the account has none.
   * The key never changes.
   */
  async keyOf(userId: number): Promise<string> {
    const [stored] = await this.database.rows<{ key: string }>(SELECT_KEY, [userId]);
    if (stored) return stored.key;
    await this.database.autocommit.rows(ADD_KEY, [userId, newKey()]);
    return this.keyOf(userId);
  }

  /** The kind of notice that an unsubscribe link names; null if the key or the kind in the link is unknown. */
  async kindOf(key: string, kind: string): Promise<NoticeKind | null> {
    const knownKind = NOTICE_KINDS.find((known) => known === kind);
    return knownKind && (await this.database.rows(KEY_EXISTS, [key])).length > 0 ? knownKind : null;
  }

  /** Stops mails of this kind for the account with this key. Does nothing if the key is unknown. */
  async stop(key: string, kind: NoticeKind): Promise<void> {
    await this.database.autocommit.rows(STOP_MAIL, [key, kind]);
  }

  /** Stores which kinds of notices are mailed from now on. Mails of all other kinds are stopped. */
  async choose(tx: Transaction, userId: number, chosenKinds: readonly string[]): Promise<void> {
    await tx.rows(CHOOSE_MAILS, [userId, newKey(), NOTICE_KINDS.filter((kind) => !chosenKinds.includes(kind))]);
  }
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

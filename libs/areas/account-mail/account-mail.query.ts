import { statement } from '#platform/database/database';
import { isBannedSql } from '../identity/banned.policy';

export type AccountMailKind = 'register' | 'reset' | 'email' | 'email_changed';
/** Those that somebody asks for, known here or not. */
export type AskedKind = Exclude<AccountMailKind, 'email_changed'>;
/** Those with a link that does something. */
export type LinkKind = AskedKind;

/** Whoever asks for the same address waits for the other one, so that its mails are counted exactly. */
export const LOCK_ADDRESS = statement('account_mail_lock_address', `SELECT pg_advisory_xact_lock(hashtextextended('account-mail ' || lower($1), 0))`);

/** $1 kind, $2 address, $3 locale, $4 account, $5 name, $6 password's hash, $7 path, $8 now; none when $10 were asked for since $9. */
export const TAKE_MAIL_REQUEST = statement(
  'account_mail_ask',
  `INSERT INTO account_mails (kind, address, locale, user_id, name, password_hash, next_path, created_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8
    WHERE (SELECT count(*) FROM account_mails WHERE lower(address) = lower($2) AND created_at > $9 AND kind <> 'email_changed') < $10`,
);

export const TELL_OF_CHANGE = statement(
  'account_mail_tell_of_change',
  `INSERT INTO account_mails (kind, address, locale, user_id, name, created_at) VALUES ('email_changed', $1, $2, $3, $4, $5)`,
);

/** Takes fresh mails that were not handed to the queue: $1 now, $2 since, $3 how many. */
export const TAKE_FRESH = statement(
  'account_mail_take',
  `UPDATE account_mails SET queued_at = $1 WHERE id IN (
     SELECT id FROM account_mails WHERE queued_at IS NULL AND created_at > $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

export interface AccountMailRow {
  readonly id: string;
  readonly kind: AccountMailKind;
  readonly address: string;
  readonly locale: string;
  readonly name: string | null;
  /** Of the account with the address, if there is one. */
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly owner_locale: string | null;
  readonly owner_hash: string | null;
  readonly owner_banned: boolean | null;
}

export const MAIL_TO_SEND = statement(
  'account_mail_to_send',
  `SELECT m.id, m.kind, m.address, m.locale, m.name, u.id AS owner_id, u.name AS owner_name, u.locale AS owner_locale, u.password_hash AS owner_hash, ${isBannedSql('u')} AS owner_banned
     FROM account_mails m LEFT JOIN users u ON lower(u.email) = lower(m.address)
    WHERE m.id = $1 AND m.mailed_at IS NULL`,
);

/** Mail $1 has a link: $2 its hash, $3 until when; of a reset also $4 whose and $5 the password it replaces. */
export const INSERT_MAIL_LINK = statement(
  'account_mail_mint',
  `UPDATE account_mails SET token_hash = $2, expires_at = $3, user_id = coalesce($4, user_id), password_hash = coalesce($5, password_hash)
    WHERE id = $1 AND mailed_at IS NULL AND used_at IS NULL RETURNING id`,
);

export const MARK_MAILED = statement('account_mail_mailed', 'UPDATE account_mails SET mailed_at = $2 WHERE id = $1');

/** What an open link is for. */
export interface LinkRow {
  readonly id: string;
  readonly kind: LinkKind;
  readonly address: string;
  readonly locale: string;
  readonly user_id: string | null;
  readonly name: string | null;
  readonly password_hash: string | null;
  readonly next_path: string | null;
}

/**
 * The link with hash $1, unless it is used or, at $2, over. A reset is void once a newer one was sent, and once the account has
 * another password or address; what changes an address, once the account has another than when it was asked for.
 */
const OPEN_LINK = `SELECT m.id, m.kind, m.address, m.locale, m.user_id, m.name, m.password_hash, m.next_path
     FROM account_mails m
    WHERE m.token_hash = $1 AND m.expires_at > $2 AND m.used_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM account_mails newer
                       WHERE newer.kind = m.kind AND newer.user_id = m.user_id AND newer.id > m.id AND newer.token_hash IS NOT NULL)
      AND (m.kind <> 'reset' OR EXISTS (SELECT 1 FROM users u WHERE u.id = m.user_id AND lower(u.email) = lower(m.address)
                                           AND u.password_hash IS NOT DISTINCT FROM nullif(m.password_hash, '')))`;
export const SELECT_MAIL_LINK = statement('account_mail_link', OPEN_LINK);
export const LOCK_LINK = statement('account_mail_lock_link', `${OPEN_LINK} FOR UPDATE OF m`);

/** A link is used once, and its row forgets the password. */
export const USE_LINK = statement('account_mail_use', 'UPDATE account_mails SET used_at = $2, password_hash = NULL WHERE id = $1');

export const DELETE_LAPSED_MAIL_LINKS = statement(
  'account_mail_sweep',
  'DELETE FROM account_mails WHERE id IN (SELECT id FROM account_mails WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING 1',
);

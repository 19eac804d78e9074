import type { Gender } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { isBannedSql } from '../identity/account-conditions.sql';
import type { OwnPlace } from '../identity/user.entity';

export type AccountMailKind = 'register' | 'reset' | 'email' | 'email_changed';
/** Kinds of mail that a person requests, and that contain a link. Only `email` requires an account. */
export type LinkKind = Exclude<AccountMailKind, 'email_changed'>;

/**
 * Locks the address $1 until the transaction ends. Requests for the same address therefore run one after another, and
 * the mails to this address are counted exactly.
 */
export const LOCK_ADDRESS = statement(
  'account_mail_lock_address',
  `SELECT pg_advisory_xact_lock(hashtextextended('account-mail ' || lower($1), 0))`,
);

/**
 * Stores a requested mail and returns its id: $1 kind, $2 address, $3 locale, $4 account or null, $5 name, $6 hash of
 * the password, $7 page after sign-in, $8 now, $12 date of birth, $13 gender, $14 whether participation is shown, $15
 * place. Stores nothing if at least $10 mails to the address were requested since $9 (mails of the kind `email_changed`
 * do not count), or if the account's password hash is no longer $11.
 */
export const INSERT_MAIL_REQUEST = statement(
  'account_mail_insert_request',
  `INSERT INTO account_mails (kind, address, locale, user_id, name, password_hash, next_path, created_at, birth_date, gender, show_participation, place)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $12, $13, $14, $15::jsonb
    WHERE (SELECT count(*) FROM account_mails WHERE lower(address) = lower($2) AND created_at > $9 AND kind <> 'email_changed') < $10
      AND ($4::bigint IS NULL OR EXISTS (SELECT 1 FROM users u WHERE u.id = $4 AND u.password_hash IS NOT DISTINCT FROM $11))
   RETURNING id`,
);

/** At time $3, invalidates the unused links of kind $1 of account $2, if the account's password hash is $4. */
export const VOID_OLDER_LINKS = statement(
  'account_mail_void_older_links',
  `UPDATE account_mails SET used_at = $3, password_hash = NULL
    WHERE kind = $1 AND user_id = $2 AND used_at IS NULL AND EXISTS (SELECT 1 FROM users u WHERE u.id = $2 AND u.password_hash IS NOT DISTINCT FROM $4)`,
);

/**
 * SQL: whether the address of `m` (a registration in account_mails) was confirmed with the link of any registration
 * since `m` was requested.
 */
const CONFIRMED_SINCE = `EXISTS (SELECT 1 FROM account_mails confirmed WHERE confirmed.kind = 'register'
                       AND lower(confirmed.address) = lower(m.address) AND confirmed.used_at >= m.created_at)`;

/**
 * Requests another mail for the latest pending registration of address $1: $2 locale, $3 now. Stores nothing if
 * at least $5 mails to the address were requested since $4 (mails of the kind `email_changed` do not count).
 */
export const REPEAT_REGISTRATION = statement(
  'account_mail_repeat_registration',
  `INSERT INTO account_mails (kind, address, locale, name, password_hash, next_path, birth_date, gender, show_participation, place, created_at)
   SELECT 'register', last.address, $2, last.name, last.password_hash, last.next_path, last.birth_date, last.gender, last.show_participation, last.place, $3
     FROM (SELECT address, name, password_hash, next_path, birth_date, gender, show_participation, place FROM account_mails m
            WHERE kind = 'register' AND lower(address) = lower($1) AND NOT ${CONFIRMED_SINCE} ORDER BY id DESC LIMIT 1) last
    WHERE (SELECT count(*) FROM account_mails WHERE lower(address) = lower($1) AND created_at > $4 AND kind <> 'email_changed') < $5`,
);

export const NOTIFY_FORMER_ADDRESS = statement(
  'account_mail_notify_former_address',
  `INSERT INTO account_mails (kind, address, locale, user_id, name, created_at) VALUES ('email_changed', $1, $2, $3, $4, $5)`,
);

/**
 * Takes at most $3 mails that were requested after $2 and are not in the queue yet. Marks them as queued at $1 and
 * returns their ids.
 */
export const QUEUE_FRESH_MAILS = statement(
  'account_mail_queue_fresh',
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
  /** The account that has this address now; null if there is none. */
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly owner_address: string | null;
  readonly owner_locale: string | null;
  readonly owner_banned: boolean | null;
}

export const MAIL_TO_SEND = statement(
  'account_mail_to_send',
  `SELECT m.id, m.kind, m.address, m.locale, m.name, u.id AS owner_id, u.name AS owner_name, u.email AS owner_address, u.locale AS owner_locale, ${isBannedSql('u')} AS owner_banned
     FROM account_mails m LEFT JOIN users u ON lower(u.email) = lower(m.address)
    WHERE m.id = $1 AND m.mailed_at IS NULL AND m.used_at IS NULL`,
);

/**
 * Stores the link of mail $1: $2 the hash of the link's secret, $3 the expiry of the link. $4 is the account if the
 * link sets a new password, and null for all other links. Stores nothing if the mail is already sent or invalidated.
 */
export const STORE_MAIL_LINK = statement(
  'account_mail_store_link',
  `UPDATE account_mails SET token_hash = $2, expires_at = $3, user_id = coalesce($4, user_id)
    WHERE id = $1 AND mailed_at IS NULL AND used_at IS NULL RETURNING id`,
);

export const MARK_MAILED = statement(
  'account_mail_mark_mailed',
  'UPDATE account_mails SET mailed_at = $2 WHERE id = $1',
);

/** A link that is valid. */
export interface LinkRow {
  readonly id: string;
  readonly kind: LinkKind;
  readonly address: string;
  readonly locale: string;
  readonly user_id: string | null;
  readonly name: string | null;
  readonly password_hash: string | null;
  readonly next_path: string | null;
  readonly birth_date: string | null;
  readonly gender: Gender | null;
  readonly show_participation: boolean;
  readonly place: OwnPlace | null;
}

/**
 * The link with hash $1, unless it is used, invalidated or (at $2) expired. A link of an account is also invalid while
 * the account is banned, and if a newer link of the same kind was requested for the account. The newer request also
 * counts if it sends no mail because its address already has an account (MAIL-8). A link of a registration is also
 * invalid if the address was confirmed with another link after this link was requested.
 */
const VALID_LINK = `SELECT m.id, m.kind, m.address, m.locale, m.user_id, m.name, m.password_hash, m.next_path, m.birth_date::text AS birth_date, m.gender, m.show_participation, m.place
     FROM account_mails m
    WHERE m.token_hash = $1 AND m.expires_at > $2 AND m.used_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM account_mails newer
                       WHERE newer.kind = m.kind AND newer.user_id = m.user_id AND newer.id > m.id)
      AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = m.user_id AND ${isBannedSql('u')})
      AND (m.kind <> 'register' OR NOT ${CONFIRMED_SINCE})`;
export const SELECT_MAIL_LINK = statement('account_mail_link', VALID_LINK);
export const LOCK_LINK = statement('account_mail_lock_link', `${VALID_LINK} FOR UPDATE OF m`);

/** The kind and address of a link, also if the link is no longer valid. */
export const KIND_OF_LINK = statement(
  'account_mail_kind_of_link',
  'SELECT kind, address FROM account_mails WHERE token_hash = $1',
);

/** Marks a link as used and clears the password hash in its row. */
export const USE_LINK = statement(
  'account_mail_use_link',
  'UPDATE account_mails SET used_at = $2, password_hash = NULL WHERE id = $1',
);

/**
 * Invalidates links from time $3 on. Their rows still count towards the limit of mails per address (MAIL-7). The links
 * are:
 * - the links of account $1 that confirm a new address or set a new password,
 * - the links for a new password that were requested for one of the addresses $2, if their rows have no account yet.
 */
export const VOID_LINKS = statement(
  'account_mail_void_links',
  `UPDATE account_mails SET used_at = $3, password_hash = NULL
    WHERE used_at IS NULL AND (kind = 'email' AND user_id = $1 OR kind = 'reset' AND (user_id = $1 OR user_id IS NULL AND lower(address) IN (SELECT lower(changed) FROM unnest($2::text[]) AS changed)))`,
);

export const DELETE_OLD_ACCOUNT_MAILS = statement(
  'account_mail_delete_old',
  'DELETE FROM account_mails WHERE id IN (SELECT id FROM account_mails WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING 1',
);

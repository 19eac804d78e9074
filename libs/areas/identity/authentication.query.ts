import { shortRead, statement } from '#platform/database/database';
import type { Scope } from '#contract/scopes';
import type { Gender, TokenAccess } from '#contract/vocabulary';
import { keptAnswerSql } from '#platform/retries/kept-answers.query';
import { isBannedSql } from './banned.policy';

const COLUMNS = `t.id AS token_id, t.access, t.scopes, t.expires_at, t.last_used_at,
          u.id, u.slug, u.name, u.nickname, u.avatar_key, u.locale, u.timezone, u.birth_date::text AS birth_date, u.gender,
          u.premium_until, u.verified, u.admin, u.moderator, ${isBannedSql('u')} AS banned`;
const OF_TOKEN = `FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.hash = $1`;

/** Token and account in one round trip per request, never cached. */
export const TOKEN_WITH_ACCOUNT = shortRead('identity_token_with_account', `SELECT ${COLUMNS} ${OF_TOKEN}`);

/** The same for a change with an idempotency key: also reads the stored response. */
export const TOKEN_WITH_ACCOUNT_AND_ANSWER = shortRead(
  'identity_token_with_account_and_answer',
  `SELECT ${COLUMNS}, ${keptAnswerSql('t.user_id', '$2')} AS kept_answer ${OF_TOKEN}`,
);

export interface TokenWithAccount {
  token_id: string;
  access: TokenAccess;
  /** Null for a token of a level. */
  scopes: Scope[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  id: string;
  slug: string;
  name: string;
  nickname: string | null;
  avatar_key: string | null;
  locale: string;
  timezone: string;
  birth_date: string | null;
  gender: Gender | null;
  premium_until: Date | null;
  verified: boolean;
  admin: boolean;
  moderator: boolean;
  banned: boolean;
  /** Only with TOKEN_WITH_ACCOUNT_AND_ANSWER. */
  kept_answer?: string | null;
}

/** Records that a token was used, unless a use since `$3` is recorded. */
export const TOUCH_TOKEN = statement(
  'identity_touch_token',
  'UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);

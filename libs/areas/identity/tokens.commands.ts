import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { levelOf, SCOPES, type Scope } from '#contract/scopes';
import type { TokenAccess } from '#contract/vocabulary';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { Refusal } from '#platform/http/refusal';
import { hashSecret } from '#platform/text/hash-secret';
import { mintSecret, secretOf, type TokenKind } from './token-secret.policy';
import { Token } from './token.entity';
import { lockAccount } from './users.reader';

/** The options of a new token. */
export interface TokenOptions {
  readonly name: string;
  readonly access: TokenAccess;
  /** Narrow scopes, which replace `access`; null or absent for a token with an access level. */
  readonly scopes?: readonly Scope[] | null;
  readonly expiresAt: Date | null;
}

/** A token with its secret. The secret is available only when the token is created. */
export interface CreatedToken {
  readonly token: Token;
  readonly secret: string;
}

/** The account already has the maximum number of tokens. */
export class TooManyTokens extends Error {
  constructor() {
    super(`An account has at most ${LIMITS.tokens.per_account} tokens: revoke one first.`);
  }
}

const TAIL_CHARACTERS = 4;

/**
 * The access level and scopes of a new token. The input must contain either `access` or `scopes`. If the scopes are
 * equivalent to an access level, the token gets this level instead of the scopes.
 * @throws 422 on `access` if both are given, or neither
 */
export function accessOf<Access extends TokenAccess>({
  access = null,
  scopes = null,
}: {
  readonly access?: Access | null;
  readonly scopes?: readonly Scope[] | null;
}): Pick<TokenOptions, 'access' | 'scopes'> {
  if (scopes === null && access !== null) return { access, scopes: null };
  if (scopes === null) throw Refusal.invalid('access', 'required');
  if (access !== null) throw Refusal.invalid('access', 'one_only', { fields: 'access, scopes' });
  const level = levelOf(scopes);
  return level === null
    ? { access: 'read', scopes: SCOPES.filter((one) => scopes.includes(one)) }
    : { access: level, scopes: null };
}

function kindOfToken({ scopes }: TokenOptions): TokenKind {
  return scopes ? 'narrow' : 'personal';
}

/**
 * Inserts and returns a row when a form for a new token is sent for the first time. If the same form is sent again,
 * returns no row.
 */
const USE_FORM = statement(
  'identity_use_token_form',
  'INSERT INTO token_forms (user_id, form, used_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING form',
);
/** Deletes the rows of forms that were used more than a week ago. Such forms have expired (PAGE-30). */
const FORGET_FORMS = statement(
  'identity_forget_token_forms',
  `DELETE FROM token_forms WHERE user_id = $1 AND used_at < $2::timestamptz - interval '7 days'`,
);

const COUNT_TOKENS = statement('identity_count_tokens', 'SELECT count(*)::int AS total FROM tokens WHERE user_id = $1');

/** Creates, counts, lists and revokes tokens (ACC-2, ACC-4). */
@Injectable()
export class TokensCommands {
  constructor(private readonly clock: Clock) {}

  /** Throws `TooManyTokens` if the account already has ten tokens. Concurrent calls cannot exceed this limit. */
  async create(tx: Transaction, userId: number, options: TokenOptions): Promise<CreatedToken> {
    return this.store(tx, userId, options, mintSecret(kindOfToken(options)));
  }

  /**
   * Creates one token for a form, even if the form is sent repeatedly, and returns the secret of the token. If the form
   * was sent before, returns the secret of the existing token, or null if this token was revoked. Throws like `create`.
   * `key`: 64 bytes, always the same for the same form.
   */
  async createOnce(
    tx: Transaction,
    userId: number,
    options: TokenOptions,
    { form, key }: { readonly form: string; readonly key: Buffer },
  ): Promise<string | null> {
    const now = this.clock.now();
    await tx.rows(FORGET_FORMS, [userId, now]);
    const secret = secretOf(key, kindOfToken(options));
    // When the form was first sent, it may have requested a token of another kind, so both kinds are looked up.
    if ((await tx.rows(USE_FORM, [userId, form, now])).length === 0)
      return this.storedSecret(tx, [secretOf(key), secretOf(key, 'narrow')]);
    return (await this.store(tx, userId, options, secret)).secret;
  }

  /**
   * Creates a token with the access `write` and without an expiry. The secret is derived from `key`, which consists of
   * 64 secret bytes. The key is not stored; the caller must pass it again to `secretFromKey`.
   */
  async createFromKey(tx: Transaction, userId: number, name: string, key: Buffer): Promise<CreatedToken> {
    return this.store(tx, userId, { name, access: 'write', expiresAt: null }, secretOf(key));
  }

  /** The secret of the token that was created from `key`; null if there is no such token any more. */
  async secretFromKey(tx: Transaction, key: Buffer): Promise<string | null> {
    return this.storedSecret(tx, [secretOf(key)]);
  }

  private async storedSecret(tx: Transaction, secrets: readonly string[]): Promise<string | null> {
    for (const secret of secrets) if (await tx.manager.existsBy(Token, { hash: hashSecret(secret) })) return secret;
    return null;
  }

  private async store(tx: Transaction, userId: number, options: TokenOptions, secret: string): Promise<CreatedToken> {
    await lockAccount(tx, userId);
    if ((await this.usage(tx, userId)).used >= LIMITS.tokens.per_account) throw new TooManyTokens();
    const token = await tx.manager.save(Token, {
      userId,
      name: options.name,
      access: options.scopes ? 'read' : options.access,
      scopes: options.scopes ? [...options.scopes] : null,
      expiresAt: options.expiresAt,
      hash: hashSecret(secret),
      tail: secret.slice(-TAIL_CHARACTERS),
      lastUsedAt: null,
      createdAt: this.clock.now(),
    });
    return { token, secret };
  }

  async usage(database: Queryable, userId: number): Promise<Usage> {
    const [row] = await database.rows<{ total: number }>(COUNT_TOKENS, [userId]);
    return usageWithoutExpiry(row?.total ?? 0);
  }

  /** The tokens of the account, the oldest first. */
  async list(tx: Transaction, userId: number): Promise<Token[]> {
    return tx.manager.find(Token, { where: { userId }, order: { id: 'ASC' } });
  }

  /** Deletes the token; the next request with it is refused. False if the account has no such token. */
  async revoke(tx: Transaction, userId: number, tokenId: number): Promise<boolean> {
    const { affected } = await tx.manager.delete(Token, { id: tokenId, userId });
    return affected === 1;
  }

  /** Revokes all tokens with this name that belong to the account. */
  async revokeNamed(tx: Transaction, userId: number, name: string): Promise<void> {
    await tx.manager.delete(Token, { userId, name });
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { TokenAccess } from '#contract/vocabulary';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { lasting, type Usage } from '#platform/rate-limit/usage';
import { Clock } from '#platform/time/clock';
import { hashSecret, mintSecret, secretOf } from './token-secret';
import { Token } from './token.entity';
import { lockAccount } from './users.reader';

/** The options of a new token. */
export interface TokenWish {
  readonly name: string;
  readonly access: TokenAccess;
  readonly expiresAt: Date | null;
}

/** A token with its secret, which is available only at its creation. */
export interface FreshToken {
  readonly token: Token;
  readonly secret: string;
}

/** The account has ten tokens already. */
export class TooManyTokens extends Error {
  constructor() {
    super(`An account has at most ${LIMITS.tokens.per_account} tokens: revoke one first.`);
  }
}

const TAIL = 4;

/** Inserts a row at the first use. Rows are deleted long after their forms have expired. */
const USE_FORM = statement(
  'identity_use_token_form',
  'INSERT INTO token_forms (user_id, form, used_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING form',
);
const FORGET_FORMS = statement(
  'identity_forget_token_forms',
  `DELETE FROM token_forms WHERE user_id = $1 AND used_at < $2::timestamptz - interval '7 days'`,
);

const COUNT_TOKENS = statement('identity_count_tokens', 'SELECT count(*)::int AS total FROM tokens WHERE user_id = $1');

/** Creates and revokes tokens (ACC-2, ACC-4). */
@Injectable()
export class TokensCommands {
  constructor(private readonly clock: Clock) {}

  /** Throws TooManyTokens above ten per account, also for parallel calls. */
  async create(tx: Transaction, userId: number, wish: TokenWish): Promise<FreshToken> {
    return this.store(tx, userId, wish, mintSecret());
  }

  /**
   * Like `create`, for a form that creates one token however often it is sent: a repetition returns the first token's
   * secret, or null once the token was revoked. `key`: 64 bytes, always the same for that form.
   */
  async createOnce(
    tx: Transaction,
    userId: number,
    wish: TokenWish,
    { form, key }: { readonly form: string; readonly key: Buffer },
  ): Promise<string | null> {
    const now = this.clock.now();
    await tx.rows(FORGET_FORMS, [userId, now]);
    if ((await tx.rows(USE_FORM, [userId, form, now])).length === 0) return this.secretFrom(tx, key);
    return (await this.store(tx, userId, wish, secretOf(key))).secret;
  }

  /** Creates a token whose secret is derived from `key`, 64 random bytes that are stored instead of the secret. */
  async createFrom(tx: Transaction, userId: number, name: string, key: Buffer): Promise<FreshToken> {
    return this.store(tx, userId, { name, access: 'write', expiresAt: null }, secretOf(key));
  }

  /** The secret of the token created from that key; null if there is none, or it was revoked. */
  async secretFrom(tx: Transaction, key: Buffer): Promise<string | null> {
    const secret = secretOf(key);
    return (await tx.manager.existsBy(Token, { hash: hashSecret(secret) })) ? secret : null;
  }

  private async store(tx: Transaction, userId: number, wish: TokenWish, secret: string): Promise<FreshToken> {
    await lockAccount(tx, userId);
    if ((await this.usage(tx, userId)).used >= LIMITS.tokens.per_account) throw new TooManyTokens();
    const token = await tx.manager.save(Token, {
      userId,
      ...wish,
      hash: hashSecret(secret),
      tail: secret.slice(-TAIL),
      lastUsedAt: null,
      createdAt: this.clock.now(),
    });
    return { token, secret };
  }

  async usage(on: Queryable, userId: number): Promise<Usage> {
    const [row] = await on.rows<{ total: number }>(COUNT_TOKENS, [userId]);
    return lasting(row?.total ?? 0);
  }

  /** Oldest first. */
  async list(tx: Transaction, userId: number): Promise<Token[]> {
    return tx.manager.find(Token, { where: { userId }, order: { id: 'ASC' } });
  }

  /** False when the account has no such token. Effective from the next request on. */
  async revoke(tx: Transaction, userId: number, tokenId: number): Promise<boolean> {
    const { affected } = await tx.manager.delete(Token, { id: tokenId, userId });
    return affected === 1;
  }

  /** Revokes all of the account's tokens of that name. */
  async revokeNamed(tx: Transaction, userId: number, name: string): Promise<void> {
    await tx.manager.delete(Token, { userId, name });
  }
}

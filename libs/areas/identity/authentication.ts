import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import {
  APP_TOKEN_WITH_ACCOUNT,
  APP_TOKEN_WITH_ACCOUNT_AND_ANSWER,
  TOKEN_WITH_ACCOUNT,
  TOKEN_WITH_ACCOUNT_AND_ANSWER,
  TOUCH_APP_TOKEN,
  TOUCH_TOKEN,
  type TokenWithAccount,
} from './authentication.query';
import { LEVEL_OF_ACCESS } from '#contract/vocabulary';
import type { Caller } from './caller.reader';
import { hashSecret, kindOf } from './token-secret';
import type { User } from './user.entity';

/** The account and token of a valid token. The rest of admission decides whether the request is allowed. */
export interface Authenticated {
  readonly caller: Caller;
  readonly banned: boolean;
  /** Premium, verified or admin (ACC-5). */
  readonly eligible: boolean;
  /** The response stored for the idempotency key, sealed (platform/retries); null if there is none. */
  readonly keptAnswer: string | null;
  /** The app's own window instead of the address's; null: the request counts for its address. */
  readonly appWindow: { readonly appId: string; readonly limit: number } | null;
}

/** `last_used_at` may be out of date by this time. */
const LAST_USED_ACCURACY_MS = 5 * 60_000;

const OF_PEOPLE = { alone: TOKEN_WITH_ACCOUNT, withAnswer: TOKEN_WITH_ACCOUNT_AND_ANSWER };
const OF_APPS = { alone: APP_TOKEN_WITH_ACCOUNT, withAnswer: APP_TOKEN_WITH_ACCOUNT_AND_ANSWER };

/** RFC 6750: the scheme in any case, one space or more, one token. */
const BEARER = /^bearer +([^\s]+)$/i;

/** Authenticates requests (ACC-1). */
@Injectable()
export class Authentication {
  private readonly log = new Logger(Authentication.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Null for a missing, malformed, unknown, revoked or expired token: 401.
   * @param keyHash of the request's `Idempotency-Key`
   */
  async authenticate(authorization: string | undefined, keyHash: string | null = null): Promise<Authenticated | null> {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    const kind = secret === undefined ? null : kindOf(secret);
    if (secret === undefined || kind === null) return null;
    const { alone, withAnswer } = kind === 'app' ? OF_APPS : OF_PEOPLE;
    const [row] = await (keyHash === null
      ? this.database.rows<TokenWithAccount>(alone, [hashSecret(secret)])
      : this.database.rows<TokenWithAccount>(withAnswer, [hashSecret(secret), keyHash]));
    const now = this.clock.now();
    if (!row || (row.expires_at && row.expires_at <= now)) return null;
    this.noteUse(row, now);
    return {
      caller: callerOf(row),
      banned: row.banned,
      eligible: mayUseTokens({ premiumUntil: row.premium_until, verified: row.verified, admin: row.admin }, now),
      keptAnswer: row.kept_answer ?? null,
      appWindow: row.app_id !== undefined && row.ip_window ? { appId: row.app_id, limit: row.ip_window } : null,
    };
  }

  /** Whether the request has the token of an app, which may have a window of its own. */
  isOfApp(authorization: string | undefined): boolean {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    return secret !== undefined && kindOf(secret) === 'app';
  }

  /** Coarse and not awaited: `last_used_at` is a hint for people and not worth a write per request. */
  private noteUse(row: TokenWithAccount, now: Date): void {
    const before = new Date(now.getTime() - LAST_USED_ACCURACY_MS);
    if (row.last_used_at && row.last_used_at >= before) return;
    this.database
      .rows(row.grant_id === undefined ? TOUCH_TOKEN : TOUCH_APP_TOKEN, [row.token_id, now, before])
      .catch((error: unknown) => this.log.warn({ err: error }, 'last_used_at was not noted'));
  }
}

function callerOf(row: TokenWithAccount): Caller {
  return {
    id: Number(row.id),
    slug: row.slug,
    name: row.name,
    nickname: row.nickname,
    avatarKey: row.avatar_key,
    locale: row.locale,
    timezone: row.timezone,
    birthDate: row.birth_date,
    gender: row.gender,
    premiumUntil: row.premium_until,
    admin: row.admin,
    moderator: row.moderator,
    token: {
      id: Number(row.token_id),
      window: row.grant_id === undefined ? row.token_id : `grant-${row.grant_id}`,
      scopes: row.scopes ?? [LEVEL_OF_ACCESS[row.access]],
      expiresAt: row.expires_at,
      app: row.client_id === undefined ? null : { name: row.app_name ?? '', clientId: row.client_id },
      grantId: row.grant_id === undefined ? null : Number(row.grant_id),
      door: null,
    },
  };
}

/** Whether the account may create and use tokens: Premium, verified, or admin (ACC-5). */
export function mayUseTokens(
  { premiumUntil, verified, admin }: Pick<User, 'premiumUntil' | 'verified' | 'admin'>,
  now: Date,
): boolean {
  return verified || admin || (premiumUntil !== null && premiumUntil > now);
}

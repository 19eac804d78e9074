import { Injectable, Logger } from '@nestjs/common';
import { Database, type Statement } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import {
  APP_TOKEN_WITH_ACCOUNT,
  DOOR_LINK_WITH_ORGANIZER,
  TOKEN_WITH_ACCOUNT,
  TOUCH_APP_TOKEN,
  TOUCH_TOKEN,
  type Account,
  type AppTokenWithAccount,
  type DoorLinkWithOrganizer,
  type TokenWithAccount,
} from './authentication.query';
import { LIMITS } from '#contract/limits';
import { SCOPE_OF_ACCESS } from '#contract/vocabulary';
import { hashSecret } from '#platform/text/hash-secret';
import type { Caller, CallerToken } from './caller.reader';
import { kindOf, type TokenKind } from './token-secret.policy';
import { mayUseTokens } from './user.policy';

/** A valid token and its account. The later guards of admission.ts decide whether the request is allowed. */
export interface Authenticated {
  readonly caller: Caller;
  readonly banned: boolean;
  /** Whether the account has Premium, is verified, or is an admin (ACC-5). Always true for a door link (DOOR-21). */
  readonly eligible: boolean;
  /** The encrypted response stored for the idempotency key (platform/retries); null if there is none. */
  readonly sealedResponse: string | null;
  /**
   * The app's own rate limit, which replaces the limit of the IP address. Null if the app has no limit of its own;
   * absent if the token is not an app's token. In both cases the limit of the IP address applies.
   */
  readonly appWindow?: { readonly appId: string; readonly limit: number } | null;
}

/** RFC 6750: the scheme in any letter case, one or more spaces, one token. */
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
   * Returns null in these cases, in which the response is 401:
   * - The token is missing, malformed, unknown, revoked or expired.
   * - The token is an app's token, and the app is suspended.
   * - The token is a door link, and its event is hidden, its organizer is banned, or a suspended app created it.
   *
   * @param keyHash hash of the request's `Idempotency-Key`
   */
  async authenticate(authorization: string | undefined, keyHash: string | null = null): Promise<Authenticated | null> {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    const kind = secret === undefined ? null : kindOf(secret);
    if (secret === undefined || kind === null) return null;
    return this.byKind[kind]([hashSecret(secret), keyHash], this.clock.now());
  }

  /**
   * The functions that look up a token, by its kind (`TOKEN_KINDS`). Personal and narrow tokens are in one table; door
   * links and tokens of apps have their own tables. `values`: the hash of the secret, and the hash of the idempotency
   * key or null.
   */
  private readonly byKind: Readonly<
    Record<TokenKind, (values: readonly (string | null)[], now: Date) => Promise<Authenticated | null>>
  > = {
    personal: (values, now) => this.byToken(values, now),
    narrow: (values, now) => this.byToken(values, now),
    door: (values, now) => this.byDoorLink(values, now),
    app: (values, now) => this.byAppToken(values, now),
  };

  private async byToken(values: readonly (string | null)[], now: Date): Promise<Authenticated | null> {
    const [row] = await this.database.rows<TokenWithAccount>(TOKEN_WITH_ACCOUNT, values);
    if (!row || (row.expires_at && row.expires_at <= now)) return null;
    this.recordUse(row, now);
    return {
      caller: { ...accountOf(row), token: tokenOf(row) },
      banned: row.banned,
      eligible: mayUseTokens({ premiumUntil: row.premium_until, verified: row.verified, admin: row.admin }, now),
      sealedResponse: row.sealed_response,
    };
  }

  private async byAppToken(values: readonly (string | null)[], now: Date): Promise<Authenticated | null> {
    const [row] = await this.database.rows<AppTokenWithAccount>(APP_TOKEN_WITH_ACCOUNT, values);
    if (!row || row.expires_at <= now) return null;
    this.recordUse(row, now, TOUCH_APP_TOKEN);
    return {
      caller: { ...accountOf(row), token: appTokenOf(row) },
      banned: row.banned,
      eligible: mayUseTokens({ premiumUntil: row.premium_until, verified: row.verified, admin: row.admin }, now),
      sealedResponse: row.sealed_response,
      appWindow: row.ip_window === null ? null : { appId: row.app_id, limit: row.ip_window },
    };
  }

  /**
   * Whether the token of the request has the form of an app's token. The token is not looked up, so it may be invalid.
   */
  looksLikeAppToken(authorization: string | undefined): boolean {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    return secret !== undefined && kindOf(secret) === 'app';
  }

  /**
   * Looks up a door link. The right to tokens (ACC-5) is needed only to create a link with `POST door/links`, not to
   * use a link. A link stops working when the organizer is banned (DOOR-21, DOOR-22).
   */
  private async byDoorLink(values: readonly (string | null)[], now: Date): Promise<Authenticated | null> {
    const [row] = await this.database.rows<DoorLinkWithOrganizer>(DOOR_LINK_WITH_ORGANIZER, values);
    if (!row || row.banned || row.expires_at <= now) return null;
    return {
      caller: { ...accountOf(row), token: doorTokenOf(row) },
      banned: false,
      eligible: true,
      sealedResponse: row.sealed_response,
    };
  }

  /**
   * Records the use of the token at most once in five minutes. The request does not wait for the write. People see
   * `last_used_at`, and a grant ends if its tokens were not used for 90 days (APP-15). An accuracy of five minutes is
   * enough for both purposes.
   */
  private recordUse(
    row: Pick<TokenWithAccount, 'token_id' | 'last_used_at'>,
    now: Date,
    touch: Statement = TOUCH_TOKEN,
  ): void {
    const before = new Date(now.getTime() - LIMITS.tokens.last_used_accuracy * 1000);
    if (row.last_used_at && row.last_used_at >= before) return;
    this.database.outsideTransaction
      .rows(touch, [row.token_id, now, before])
      .catch((error: unknown) => this.log.warn({ err: error }, 'last_used_at was not updated'));
  }
}

function accountOf(row: Account): Omit<Caller, 'token'> {
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
  };
}

function tokenOf(row: TokenWithAccount): CallerToken {
  return {
    id: Number(row.token_id),
    name: row.token_name,
    rateLimitKey: row.token_id,
    scopes: row.scopes ?? [SCOPE_OF_ACCESS[row.access]],
    expiresAt: row.expires_at,
    app: null,
    grantId: null,
    door: null,
  };
}

/** The tokens of a grant share one rate limit. */
function appTokenOf(row: AppTokenWithAccount): CallerToken {
  return {
    id: Number(row.token_id),
    name: row.app_name,
    rateLimitKey: `grant:${row.grant_id}`,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    app: { name: row.app_name, clientId: row.client_id },
    grantId: Number(row.grant_id),
    door: null,
  };
}

function doorTokenOf({ link_id, event_id, link_name, expires_at }: DoorLinkWithOrganizer): CallerToken {
  return {
    id: Number(link_id),
    name: link_name,
    rateLimitKey: `door:${link_id}`,
    scopes: [],
    expiresAt: expires_at,
    app: null,
    grantId: null,
    door: { eventId: Number(event_id), linkId: Number(link_id), name: link_name },
  };
}

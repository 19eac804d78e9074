import { ABILITIES_OF_LEVEL, levelOf, type Scope } from '#contract/scopes';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from './caller.reader';

/** An app that the owner has connected. */
export class AppResource {
  /** the name of the app */
  name: string;
  /** the `client_id` of the app */
  client_id: string;
}

/** The token in use (ACC-10). */
export class OwnTokenResource {
  /**
   * `["read"]`, `["read", "write"]`, or the token's list of scopes. `read` allows GET and HEAD; `write` allows all
   * other methods
   */
  abilities: Scope[];
  /** when the token stops working; null if it never expires */
  expires_at: string | null;
  /** the app that acts for the owner; null for a token that the owner created */
  app: AppResource | null;
}

/** The token's owner (ACC-10). */
export class TokenOwnerResource {
  /** hashid of the account */
  id: string;
  /** display name */
  name: string;
  /** chosen by the owner; null if there is none */
  nickname: string | null;
  /** identifies the account in paths and inputs; only the owner can change it, in the profile */
  slug: string;
  /** language of messages and notices if a request does not specify one */
  locale: string;
  /** IANA name of the time zone in which web pages and notices show times to the owner */
  timezone: string;
  /**
   * until when the account has Premium; null if the account has no Premium. Tokens of an account without Premium are
   * refused with 403 `premium_required`, unless the account is verified or belongs to an admin
   */
  premium_until: string | null;
  /** the token of this request */
  token: OwnTokenResource;
}

export function tokenOwnerResource(caller: Caller, now: Date, wire: WireFormat): TokenOwnerResource {
  const { premiumUntil, token } = caller;
  const level = levelOf(token.scopes);
  return {
    id: wire.id('user', caller.id),
    name: caller.name,
    nickname: caller.nickname,
    slug: caller.slug,
    locale: caller.locale,
    timezone: caller.timezone,
    premium_until: premiumUntil !== null && premiumUntil > now ? toWire(premiumUntil) : null,
    token: {
      abilities: level === null ? [...token.scopes] : [...ABILITIES_OF_LEVEL[level]],
      expires_at: toWire(token.expiresAt),
      app: token.app && { name: token.app.name, client_id: token.app.clientId },
    },
  };
}

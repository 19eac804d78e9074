import { ABILITIES_OF_ACCESS, type TokenAbility } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from './caller.reader';

/** The token in use (ACC-10). */
export class OwnTokenResource {
  /** `read` allows GET and HEAD, `write` all other methods */
  abilities: TokenAbility[];
  /** when the token stops working; null: never */
  expires_at: string | null;
}

/** The token's owner (ACC-10). */
export class TokenOwnerResource {
  /** hashid of the account */
  id: string;
  /** display name */
  name: string;
  /** chosen by the owner; null without one */
  nickname: string | null;
  /** names the account in paths and inputs; never changes */
  slug: string;
  /** language of messages and notices where a request names none */
  locale: string;
  /** IANA name of the time zone in which pages and notices show times to the owner */
  timezone: string;
  /** until when the account has Premium; null without. Tokens of an account that has none and is not verified are 403 `premium_required` */
  premium_until: string | null;
  /** the token of this request */
  token: OwnTokenResource;
}

export function tokenOwnerResource(caller: Caller, now: Date, wire: WireFormat): TokenOwnerResource {
  const { premiumUntil } = caller;
  return {
    id: wire.id('user', caller.id),
    name: caller.name,
    nickname: caller.nickname,
    slug: caller.slug,
    locale: caller.locale,
    timezone: caller.timezone,
    premium_until: premiumUntil !== null && premiumUntil > now ? toWire(premiumUntil) : null,
    token: {
      abilities: [...ABILITIES_OF_ACCESS[caller.token.access]],
      expires_at: toWire(caller.token.expiresAt),
    },
  };
}

import { ABILITIES_OF_ACCESS, type TokenAbility } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from './caller.reader';

/** The token in use (ACC-10). */
export class OwnTokenResource {
  abilities: TokenAbility[];
  expires_at: string | null;
}

/** The token's owner (ACC-10). */
export class TokenOwnerResource {
  id: string;
  name: string;
  nickname: string | null;
  slug: string;
  locale: string;
  timezone: string;
  token: OwnTokenResource;
}

export function tokenOwnerResource(caller: Caller, wire: WireFormat): TokenOwnerResource {
  return {
    id: wire.id('user', caller.id),
    name: caller.name,
    nickname: caller.nickname,
    slug: caller.slug,
    locale: caller.locale,
    timezone: caller.timezone,
    token: {
      abilities: [...ABILITIES_OF_ACCESS[caller.token.access]],
      expires_at: toWire(caller.token.expiresAt),
    },
  };
}

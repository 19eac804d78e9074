import type { INestApplicationContext } from '@nestjs/common';
import { CreditsReader } from '#areas/credits/credits.reader';
import { TokensCommands } from '#areas/identity/tokens.commands';
import type { Token } from '#areas/identity/token.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { ParticipationReader } from '#areas/participation/participation.reader';
import { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { withUser } from './with-user';

/** A token as shown to operators: without its secret. */
export interface TokenDocument {
  id: string;
  name: string;
  /** Null if the token has `scopes` instead of an access level. */
  access: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export function tokenDocument(token: Token, wire: WireFormat): TokenDocument {
  return {
    id: wire.id('token', token.id),
    name: token.name,
    access: token.scopes ? null : token.access,
    scopes: token.scopes,
    expires_at: toWire(token.expiresAt),
    last_used_at: toWire(token.lastUsedAt),
    created_at: toWire(token.createdAt),
  };
}

/**
 * The output of `user show`: the account (without hashes), the people whom it blocks, and its tokens (without secrets),
 * credits and participations.
 */
export async function accountDocument(app: INestApplicationContext, slug: string): Promise<object> {
  const wire = app.get(WireFormat);
  return withUser(app, slug, async (tx, user) => {
    const tokens = await app.get(TokensCommands).list(tx, user.id);
    return {
      id: wire.id('user', user.id),
      slug: user.slug,
      name: user.name,
      nickname: user.nickname,
      email: user.email,
      locale: user.locale,
      timezone: user.timezone,
      birth_date: user.birthDate,
      gender: user.gender,
      iban: user.iban,
      avatar_url: wire.thumbOrNull(user.avatarKey, { isPublic: true }),
      searchable: user.searchable,
      show_participation: user.showParticipation,
      reminder_hours: user.reminderHours,
      premium_until: toWire(user.premiumUntil),
      verified: user.verified,
      admin: user.admin,
      moderator: user.moderator,
      banned: user.banned,
      banned_until: toWire(user.bannedUntil),
      blocks: await app.get(UsersReader).blockedBy(tx, user.id),
      tokens: tokens.map((token) => tokenDocument(token, wire)),
      credits: await app.get(CreditsReader).creditsOf(tx, user.id),
      participations: await app.get(ParticipationReader).participationsOf(tx, user.id),
      created_at: toWire(user.createdAt),
      updated_at: toWire(user.updatedAt),
    };
  });
}

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, CallerToken } from '#areas/identity/caller.reader';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { WebSessions, type WebSession } from '#areas/identity/web-sessions';
import { LOCALES, type Locale } from '#contract/vocabulary';
import { localeFor } from '#platform/messages/locale';
import { PRAGUE_ZONE } from '#platform/time/prague';
import { chosenLanguage } from './language';

/** The reader of a page, with language and time zone. */
export interface Reader {
  /** Null for a reader who is not signed in or whose account is banned. */
  readonly user: User | null;
  readonly session: WebSession | null;
  /** The reader as a `Caller`: the services and the `…Reader` classes of the areas take this type. */
  readonly caller: Caller;
  readonly locale: Locale;
  readonly timezone: string;
}

/**
 * A caller of the pages has no token. The caller has all scopes (`write` includes them), because pages show everything
 * that the account can see.
 */
const NO_TOKEN: CallerToken = {
  id: 0,
  name: '',
  rateLimitKey: '',
  scopes: ['write'],
  expiresAt: null,
  app: null,
  grantId: null,
  door: null,
};
/** The caller for a reader who is not signed in. No account has the id 0. */
const VISITOR_CALLER: Caller = {
  id: 0,
  slug: '',
  name: '',
  nickname: null,
  avatarKey: null,
  locale: 'en',
  timezone: PRAGUE_ZONE,
  birthDate: null,
  gender: null,
  premiumUntil: null,
  admin: false,
  moderator: false,
  token: NO_TOKEN,
};

/**
 * Identifies the reader by database queries in each request that has a session. Bans, new passwords and ended sessions
 * therefore take effect with the next request.
 */
@Injectable()
export class Readers {
  constructor(
    private readonly users: UsersReader,
    private readonly sessions: WebSessions,
  ) {}

  async readerOf(request: FastifyRequest): Promise<Reader> {
    const visitor = this.visitor(request);
    const session = await this.sessionOf(request);
    const user = session && (await this.users.byId(session.userId));
    if (!user || user.banned) return visitor;
    request.signedInAccountId = user.id;
    const { id, slug, name, nickname, avatarKey, locale, timezone, birthDate, gender, premiumUntil, admin, moderator } =
      user;
    return {
      user,
      session,
      caller: {
        id,
        slug,
        name,
        nickname,
        avatarKey,
        locale,
        timezone,
        birthDate,
        gender,
        premiumUntil,
        admin,
        moderator,
        token: NO_TOKEN,
      },
      locale: chosenLanguage(request) ?? LOCALES.find((one) => one === locale) ?? visitor.locale,
      timezone,
    };
  }

  /** A reader without a session, with the language chosen in this browser, or else the browser's language. */
  visitor(request: FastifyRequest): Reader {
    return {
      user: null,
      session: null,
      caller: VISITOR_CALLER,
      locale: chosenLanguage(request) ?? localeFor(request.headers['accept-language'], null),
      timezone: VISITOR_CALLER.timezone,
    };
  }

  /** `session` is absent if the path is unknown and the request has no valid session cookie. */
  private async sessionOf({ session }: { session?: FastifyRequest['session'] }): Promise<WebSession | null> {
    const key = session?.get('key');
    return key === undefined ? null : this.sessions.byKey(key);
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#areas/identity/caller.reader';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { LOCALES, type Locale } from '#contract/vocabulary';
import { localeFor } from '#platform/messages/messages';
import { stampOf } from './session';

/** Who looks at a page, and how it is told to them. */
export interface Reader {
  /** null: nobody is signed in. */
  readonly user: User | null;
  /** As the areas want to know them; a stranger has an id that nobody has. */
  readonly caller: Caller;
  readonly locale: Locale;
  readonly timezone: string;
}

const NO_TOKEN = { id: 0, access: 'read', expiresAt: null } as const;
const STRANGER: Caller = {
  id: 0, slug: '', name: '', nickname: null, avatarKey: null, locale: 'en', timezone: 'Europe/Prague', birthDate: null, gender: null,
  admin: false, moderator: false, token: NO_TOKEN,
};

/** Finds out who reads. Asked of the database each time: a ban and a new password hold from the next request on. */
@Injectable()
export class Readers {
  constructor(private readonly users: UsersReader) {}

  async of(request: FastifyRequest): Promise<Reader> {
    const user = await this.signedIn(request);
    const stranger = this.stranger(request);
    if (!user) return stranger;
    const { id, slug, name, nickname, avatarKey, locale, timezone, birthDate, gender, admin, moderator } = user;
    return {
      user,
      caller: { id, slug, name, nickname, avatarKey, locale, timezone, birthDate, gender, admin, moderator, token: NO_TOKEN },
      locale: LOCALES.find((one) => one === locale) ?? stranger.locale,
      timezone,
    };
  }

  /** Somebody of whom only the browser's language is known. */
  stranger({ headers }: FastifyRequest): Reader {
    return { user: null, caller: STRANGER, locale: localeFor(headers['accept-language'], null), timezone: STRANGER.timezone };
  }

  private async signedIn({ session }: FastifyRequest): Promise<User | null> {
    const userId = session?.get('userId');
    if (userId === undefined) return null;
    const user = await this.users.byId(userId);
    return user && !user.banned && session.get('stamp') === stampOf(user) ? user : null;
  }
}

import type { Wire } from '#platform/http/wire';

/** A person wherever one is shown (decisions, "user object"). */
export class PersonResource {
  name: string;
  nickname: string | null;
  slug: string;
  avatar_url: string | null;
}

/** What a query must select of a user to show them. */
export interface Person {
  readonly name: string;
  readonly nickname: string | null;
  readonly slug: string;
  readonly avatarKey: string | null;
}

/** What a query selects of the user `u` who wrote or sent something. */
export const AUTHOR_COLUMNS = 'u.name AS author_name, u.nickname AS author_nickname, u.slug AS author_slug, u.avatar_key AS author_avatar_key';

/** What AUTHOR_COLUMNS select. */
export interface AuthorRow {
  readonly author_name: string;
  readonly author_nickname: string | null;
  readonly author_slug: string;
  readonly author_avatar_key: string | null;
}

export function authorOf(row: AuthorRow): Person {
  return { name: row.author_name, nickname: row.author_nickname, slug: row.author_slug, avatarKey: row.author_avatar_key };
}

export function personResource(person: Person, wire: Wire): PersonResource {
  return {
    name: person.name,
    nickname: person.nickname,
    slug: person.slug,
    avatar_url: wire.thumbOrNull(person.avatarKey),
  };
}

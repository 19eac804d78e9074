import type { WireFormat } from '#platform/http/wire-format';

/** A person, in the same shape everywhere (WIRE-5). */
export class PersonResource {
  /** display name */
  name: string;
  /** chosen by the person; null if there is none */
  nickname: string | null;
  /** identifies the person in paths and inputs; only the person can change it, in the profile */
  slug: string;
  /** a square picture; null if there is none */
  avatar_url: string | null;
}

/** The columns of a user that `personResource` needs. */
export interface Person {
  readonly name: string;
  readonly nickname: string | null;
  readonly slug: string;
  readonly avatarKey: string | null;
}

/** The role of a person in a row of a query. The names of the person's columns begin with the role. */
type Role = 'author' | 'organizer' | 'owner' | 'user';

/** Columns of `personColumns`: `author_name`, `author_nickname` … */
export type PersonRow<As extends Role> = { readonly [column in `${As}_name` | `${As}_slug`]: string } & {
  readonly [column in `${As}_nickname` | `${As}_avatar_key`]: string | null;
};

/** SQL: the columns that `personOf` needs, from the table of users with this alias. */
export function personColumns(alias: string, as: Role): string {
  return `${alias}.name AS ${as}_name, ${alias}.nickname AS ${as}_nickname, ${alias}.slug AS ${as}_slug, ${alias}.avatar_key AS ${as}_avatar_key`;
}

/** SQL: the values that `personColumns` selects. A fingerprint of these values changes when any of them changes. */
export function personFingerprintValues(alias: string): string {
  return `${alias}.name, ${alias}.nickname, ${alias}.slug, ${alias}.avatar_key`;
}

/** The person from the columns of `personColumns`. */
export function personOf<As extends Role>(row: PersonRow<As>, as: As): Person {
  return {
    name: row[`${as}_name`],
    nickname: row[`${as}_nickname`],
    slug: row[`${as}_slug`],
    avatarKey: row[`${as}_avatar_key`],
  };
}

/** A person as shown in every response; `avatar_url` is the address of the thumbnail. */
export function personResource(person: Person, wire: WireFormat): PersonResource {
  return {
    name: person.name,
    nickname: person.nickname,
    slug: person.slug,
    avatar_url: wire.thumbOrNull(person.avatarKey, { isPublic: true }),
  };
}

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
export type PersonRow<R extends Role> = { readonly [column in `${R}_name` | `${R}_slug`]: string } & {
  readonly [column in `${R}_nickname` | `${R}_avatar_key`]: string | null;
};

/** SQL: the columns that `personOf` needs, from the table of users with this alias. */
export function personColumns(alias: string, role: Role): string {
  return `${alias}.name AS ${role}_name, ${alias}.nickname AS ${role}_nickname, ${alias}.slug AS ${role}_slug, ${alias}.avatar_key AS ${role}_avatar_key`;
}

/** SQL: the values that `personColumns` selects, for a fingerprint that changes when one of these values changes. */
export function personFingerprintValues(alias: string): string {
  return `${alias}.name, ${alias}.nickname, ${alias}.slug, ${alias}.avatar_key`;
}

/** The person from the columns of `personColumns`. */
export function personOf<R extends Role>(row: PersonRow<R>, role: R): Person {
  return {
    name: row[`${role}_name`],
    nickname: row[`${role}_nickname`],
    slug: row[`${role}_slug`],
    avatarKey: row[`${role}_avatar_key`],
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

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

export function personResource(person: Person, wire: Wire): PersonResource {
  return {
    name: person.name,
    nickname: person.nickname,
    slug: person.slug,
    avatar_url: wire.thumbOrNull(person.avatarKey),
  };
}

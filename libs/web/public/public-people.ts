import { Injectable } from '@nestjs/common';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { PeopleReader } from '#areas/people/people.reader';

/** Finds people whose names are public: they appear in the search, or on a public page. */
@Injectable()
export class PublicPeople {
  constructor(
    private readonly users: UsersReader,
    private readonly people: PeopleReader,
  ) {}

  /** Returns null for an unknown slug and for a person whose name is not public. */
  async bySlug(slug: string): Promise<User | null> {
    const user = await this.users.bySlug(slug);
    return user && (await this.people.isPublic(user)) ? user : null;
  }
}

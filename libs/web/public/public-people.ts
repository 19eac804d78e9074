import { Injectable } from '@nestjs/common';
import { EventsReader } from '#areas/events/events.reader';
import { GroupsReader } from '#areas/groups/groups.reader';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { PostsReader } from '#areas/posts/posts.reader';

/** People whose name is public already: by a search, or on something public. */
@Injectable()
export class PublicPeople {
  constructor(
    private readonly users: UsersReader,
    private readonly events: EventsReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
  ) {}

  /** Null for an unknown slug, and for other people. */
  async bySlug(slug: string): Promise<User | null> {
    const user = await this.users.bySlug(slug);
    return user && (await this.includes(user)) ? user : null;
  }

  async includes(user: User): Promise<boolean> {
    if (user.banned) return false;
    if (user.searchable) return true;
    return (
      (await this.events.hasPublicOf(user.id)) ||
      (await this.groups.hasPublicOf(user.id)) ||
      (await this.posts.hasPublishedOf(user.id))
    );
  }
}

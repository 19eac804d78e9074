import { Injectable } from '@nestjs/common';
import { EventsReader } from '#areas/events/events.reader';
import { GroupsReader } from '#areas/groups/groups.reader';
import type { User } from '#areas/identity/user.entity';
import { PostsReader } from '#areas/posts/posts.reader';

/** Whose name everybody can find already: by a search, or under something public. */
@Injectable()
export class PublicPeople {
  constructor(
    private readonly events: EventsReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
  ) {}

  async includes(user: User): Promise<boolean> {
    if (user.banned) return false;
    if (user.searchable) return true;
    return (await this.events.hasPublicOf(user.id)) || (await this.groups.hasPublicOf(user.id)) || (await this.posts.hasPublishedOf(user.id));
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import { Page, sliceOf } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CommentsReader } from '../comments/comments.reader';
import { EventsReader } from '../events/events.reader';
import { GalleryReader } from '../gallery/gallery.reader';
import { GroupsReader } from '../groups/groups.reader';
import type { Caller } from '../identity/caller.reader';
import { personResource, type PersonResource } from '../identity/person.resource';
import type { User } from '../identity/user.entity';
import { UsersReader } from '../identity/users.reader';
import { ParticipationReader } from '../participation/participation.reader';
import { PostsReader } from '../posts/posts.reader';
import type { SearchUsersQueryDto } from './people.dto';
import { FOLD_QUERY, searchFor, type FoundRow } from './people.query';
import { profileResource, type ProfileResource } from './profile.resource';

/** The columns of an account that decide who sees the person. */
export type SeenAccount = Pick<User, 'id' | 'searchable' | 'banned'>;

/** The search for people, and their profiles; for the API and the web pages. */
@Injectable()
export class PeopleReader {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly events: EventsReader,
    private readonly participation: ParticipationReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
    private readonly comments: CommentsReader,
    private readonly gallery: GalleryReader,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Finds searchable people by words (PEO-1 to PEO-4). This method does not count the search towards the account's
   * limit.
   */
  async search(caller: Caller, query: SearchUsersQueryDto): Promise<Page<PersonResource>> {
    const slice = sliceOf(query);
    const [row] = await this.database.rows<{ folded: string }>(FOLD_QUERY, [query.q]);
    const words = [...new Set(row?.folded.split(' ').filter((word) => word !== ''))];
    if (words.length === 0) return new Page<PersonResource>([], 0, slice);
    const { sql, values } = searchFor(words, { searcherId: caller.id, ...slice });
    const found = await this.database.rows<FoundRow>(sql, values);
    const people = found.filter((person): person is FoundRow & { name: string } => person.name !== null);
    return new Page(
      people.map(({ avatar_key, ...person }) => personResource({ ...person, avatarKey: avatar_key }, this.wire)),
      Number(found[0]?.total ?? 0),
      slice,
    );
  }

  /**
   * The profile of a person whom the caller may see (PEO-7). If the caller may not see the person, throws the same 404
   * as for an unknown slug.
   */
  async profile(caller: Caller, slug: string): Promise<ProfileResource> {
    const user = await this.users.bySlug(slug);
    if (!user || !(await this.isShownTo(this.database, caller.id, user))) throw new Refusal('not_found');
    const [eventsOrganized, isBlocked] = await Promise.all([
      this.events.countPublicOf(user.id),
      this.users.hasBlocked(this.database, caller.id, user.id),
    ]);
    const isSelf = user.id === caller.id;
    return profileResource(
      {
        ...user,
        eventsOrganized,
        viewer: { is_self: isSelf, is_blocked: isBlocked, can_invite: user.searchable && !isSelf },
      },
      this.wire,
    );
  }

  /**
   * Whether the person's name is visible to people without a relation to the person, in the search or on public
   * content. False for a banned person.
   */
  async isPublic(user: SeenAccount, database: Queryable = this.database): Promise<boolean> {
    if (user.banned) return false;
    return (
      user.searchable ||
      (await this.events.hasPublicEvent(database, user.id)) ||
      (await this.groups.hasPublicGroup(database, user.id)) ||
      (await this.posts.hasPublishedPost(database, user.id)) ||
      (await this.comments.hasPublicComment(database, user.id)) ||
      (await this.gallery.hasPublicPhoto(database, user.id))
    );
  }

  /** Whether this reader may see the person (PEO-7). */
  async isShownTo(database: Queryable, readerId: number, user: SeenAccount): Promise<boolean> {
    return (
      !user.banned &&
      (user.id === readerId ||
        (await this.isPublic(user, database)) ||
        (await this.participation.haveEventInCommon(database, readerId, user.id)) ||
        (await this.groups.haveGroupInCommon(database, readerId, user.id)))
    );
  }
}

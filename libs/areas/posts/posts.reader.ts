import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement } from '#platform/database/database';
import { queryWithWords } from '#platform/database/word-search';
import { Page, sliceOf, type Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import type { DiscoverPostsQueryDto } from './post.dto';
import {
  EXPLORED_POSTS,
  HAS_PUBLISHED_POST,
  OWN_POSTS,
  OWN_POSTS_TOTAL,
  SELECT_POST,
  SELECT_POSTS,
  PUBLISHED_ABOUT_GROUP,
  PUBLISHED_OF_AUTHOR,
  PUBLISHED_SLUGS,
} from './post.query';
import { postResource, type PostResource, type PostRow } from './post.resource';

/** Reads posts, also for the web pages. */
@Injectable()
export class PostsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** Returns the post. Throws 404 if the caller does not see it. */
  async show(database: Queryable, caller: Caller, postId: number): Promise<PostResource> {
    const [row] = await database.rows<PostRow>(SELECT_POST, [postId, caller.id]);
    const resource = row && postResource(row, caller.id, this.wire);
    if (!resource || !isSeen(resource)) throw new Refusal('not_found');
    return resource.viewer.is_author ? withVersion(resource, row.version) : resource;
  }

  /**
   * Like `show`, but for several posts and without their versions. The map contains, by id, only the posts that the
   * caller sees.
   */
  async showByIds(database: Queryable, caller: Caller, postIds: readonly number[]): Promise<Map<number, PostResource>> {
    const rows = await database.rows<PostRow>(SELECT_POSTS, [postIds, caller.id]);
    const posts = rows.map((row) => [Number(row.id), postResource(row, caller.id, this.wire)] as const);
    return new Map(posts.filter(([, post]) => isSeen(post)));
  }

  /** Whether the user has a published post. */
  async hasPublishedPost(database: Queryable, authorId: number): Promise<boolean> {
    return (await database.rows(HAS_PUBLISHED_POST, [authorId])).length > 0;
  }

  /** The slugs of published posts, the newest first. */
  async publishedSlugs(limit: number): Promise<string[]> {
    return (await this.database.rows<{ slug: string }>(PUBLISHED_SLUGS, [limit])).map(({ slug }) => slug);
  }

  /**
   * Published posts that match the query, the newest first, without posts of authors who block the caller or whom the
   * caller blocks (POST-10). The web pages use this method too.
   */
  async explore(caller: Caller, query: DiscoverPostsQueryDto): Promise<Page<PostResource>> {
    const { q, category = null, author = null, event } = query;
    const words = queryWithWords(q);
    const slice = sliceOf(query);
    const eventId = event === undefined ? null : this.wire.ids.decodeEvent(event);
    if (event !== undefined && eventId === null) return new Page<PostResource>([], 0, slice);
    const listing = words === null ? EXPLORED_POSTS.any : EXPLORED_POSTS.byWords;
    const values = [caller.id, words, category, author, eventId];
    const posts = await readPage<PostRow>(this.database, listing, values, slice);
    return posts.map((row) => postResource(row, caller.id, this.wire));
  }

  /** The author's published posts, newest first; none if one of the two people blocks the other (POST-10). */
  async publishedOf(viewerId: number, authorId: number, limit: number): Promise<PostResource[]> {
    return this.publishedPosts(PUBLISHED_OF_AUTHOR, viewerId, authorId, limit);
  }

  /**
   * Published posts about the group's public events, newest first, without the posts that POST-10 omits for the viewer.
   * The calling code must have checked that the viewer sees the group.
   */
  async publishedAboutGroup(viewerId: number, groupId: number, limit: number): Promise<PostResource[]> {
    return this.publishedPosts(PUBLISHED_ABOUT_GROUP, viewerId, groupId, limit);
  }

  /** The caller's posts including drafts, newest first. */
  async own(caller: Caller, slice: Slice): Promise<Page<PostResource>> {
    const listing = { list: OWN_POSTS, total: OWN_POSTS_TOTAL };
    const posts = await readPage<PostRow>(this.database, listing, [caller.id], slice);
    return posts.map((row) => postResource(row, caller.id, this.wire));
  }

  private async publishedPosts(sql: Statement, viewerId: number, id: number, limit: number): Promise<PostResource[]> {
    const rows = await this.database.rows<PostRow>(sql, [id, limit, viewerId]);
    return rows.map((row) => postResource(row, null, this.wire));
  }
}

/**
 * Applies the rule of `PostAccessPolicy` to the row that was read, because the post may have changed since the policy
 * was applied.
 */
function isSeen({ status, viewer }: PostResource): boolean {
  return status === 'published' || viewer.is_author;
}

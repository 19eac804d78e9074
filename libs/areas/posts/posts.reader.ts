import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement } from '#platform/database/database';
import { sliceOf, type Page, type Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import type { ExplorePostsQueryDto } from './post.dto';
import {
  EXPLORED_POSTS,
  HAS_PUBLISHED_POST,
  OWN_POSTS,
  OWN_POSTS_TOTAL,
  SELECT_POST,
  PUBLISHED_ABOUT_GROUP,
  PUBLISHED_OF_AUTHOR,
  PUBLISHED_SLUGS,
} from './post.query';
import { postResource, type PostResource, type PostRow } from './post.resource';

/** Reads of posts, also for the pages. */
@Injectable()
export class PostsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** One post; the caller has checked its visibility. */
  async show(on: Queryable, caller: Caller, postId: number): Promise<PostResource> {
    const [row] = await on.rows<PostRow>(SELECT_POST, [postId]);
    if (!row) throw new Refusal('not_found');
    const resource = postResource(row, caller.id, this.wire);
    return resource.viewer.is_author ? withVersion(resource, row.version) : resource;
  }

  /** Whether the user has published a post. */
  async hasPublishedOf(authorId: number): Promise<boolean> {
    return (await this.database.rows(HAS_PUBLISHED_POST, [authorId])).length > 0;
  }

  /** Of published posts, the newest first. */
  async publishedSlugs(atMost: number): Promise<string[]> {
    return (await this.database.rows<{ slug: string }>(PUBLISHED_SLUGS, [atMost])).map(({ slug }) => slug);
  }

  /** All published posts by words, newest first. */
  async explore(caller: Caller, query: ExplorePostsQueryDto): Promise<Page<PostResource>> {
    const words = query.q ?? null;
    const listing = words === null ? EXPLORED_POSTS.any : EXPLORED_POSTS.byWords;
    return readPage(this.database, listing, [words], sliceOf(query), (row: PostRow) =>
      postResource(row, caller.id, this.wire),
    );
  }

  /** The user's published posts, as everyone sees them, newest first. */
  async publishedOf(authorId: number, atMost: number): Promise<PostResource[]> {
    return this.published(PUBLISHED_OF_AUTHOR, authorId, atMost);
  }

  /** Published posts about the group's public events, newest first. The caller has checked that the group is public. */
  async publishedAboutGroup(groupId: number, atMost: number): Promise<PostResource[]> {
    return this.published(PUBLISHED_ABOUT_GROUP, groupId, atMost);
  }

  /** The caller's posts including drafts, newest first. */
  async own(caller: Caller, slice: Slice): Promise<Page<PostResource>> {
    const listing = { list: OWN_POSTS, total: OWN_POSTS_TOTAL };
    return readPage(this.database, listing, [caller.id], slice, (row: PostRow) =>
      postResource(row, caller.id, this.wire),
    );
  }

  private async published(sql: Statement, id: number, atMost: number): Promise<PostResource[]> {
    const rows = await this.database.rows<PostRow>(sql, [id, atMost]);
    return rows.map((row) => postResource(row, null, this.wire));
  }
}

import { Injectable } from '@nestjs/common';
import type { PostStatus } from '#contract/vocabulary';
import type { Queryable, Statement } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { POST_ACCESS, POST_ACCESS_BY_ID } from './post.query';

/** A post that the caller sees. */
export interface SeenPost {
  readonly postId: number;
  readonly isAuthor: boolean;
  readonly isPublished: boolean;
  readonly version: number;
}

interface AccessRow {
  id: string;
  author_id: string;
  status: PostStatus;
  version: string;
}

/**
 * Visibility of posts: a published post is visible to everyone, a draft only to its author (POST-7). A post is visible
 * to nobody if a moderator has removed it or its author's account is banned. Only the author may change a post.
 */
@Injectable()
export class PostAccessPolicy {
  /** Throws 404 if no visible post has this slug. Another person's draft is not visible. */
  async visible(database: Queryable, slug: string, userId: number): Promise<SeenPost> {
    return visibleOnly(await this.seenPost(database, POST_ACCESS, slug, userId));
  }

  /** Like `visible`, but finds the post by its row id. */
  async visibleById(database: Queryable, postId: number, userId: number): Promise<SeenPost> {
    return visibleOnly(await this.seenPost(database, POST_ACCESS_BY_ID, postId, userId));
  }

  /** Whether the user sees the post with this row id; false for an id that does not exist. */
  async isSeenBy(database: Queryable, postId: number, userId: number): Promise<boolean> {
    return (await this.seenPost(database, POST_ACCESS_BY_ID, postId, userId)) !== null;
  }

  /** Like `visible`, and throws 403 `forbidden` for everyone except the author. */
  async owned(database: Queryable, slug: string, userId: number): Promise<SeenPost> {
    const post = await this.visible(database, slug, userId);
    if (!post.isAuthor) throw new Refusal('forbidden');
    return post;
  }

  private async seenPost(
    database: Queryable,
    sql: Statement,
    key: string | number,
    userId: number,
  ): Promise<SeenPost | null> {
    const [row] = await database.rows<AccessRow>(sql, [key]);
    if (!row) return null;
    const post = {
      postId: Number(row.id),
      isAuthor: Number(row.author_id) === userId,
      isPublished: row.status === 'published',
      version: Number(row.version),
    };
    return post.isPublished || post.isAuthor ? post : null;
  }
}

function visibleOnly(post: SeenPost | null): SeenPost {
  if (!post) throw new Refusal('not_found');
  return post;
}

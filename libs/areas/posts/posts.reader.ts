import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { HAS_PUBLISHED_POST, OWN_POSTS, OWN_POSTS_TOTAL, POST } from './post.query';
import { postResource, type PostResource, type PostRow } from './post.resource';

/** Questions about posts, also from the pages for people. */
@Injectable()
export class PostsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** One post; whether the caller may see it is asked before. */
  async show(on: Queryable, caller: Caller, postId: number): Promise<PostResource> {
    const [row] = await on.rows<PostRow>(POST, [postId]);
    if (!row) throw new Refusal('not_found');
    return postResource(row, caller.id, this.wire);
  }

  /** Whether the user has published a post. */
  async hasPublishedOf(authorId: number): Promise<boolean> {
    return (await this.database.rows(HAS_PUBLISHED_POST, [authorId])).length > 0;
  }

  /** The caller's posts, drafts too, the newest first. */
  async own(caller: Caller, slice: Slice): Promise<Page<PostResource>> {
    const listing = { list: OWN_POSTS, total: OWN_POSTS_TOTAL };
    return readPage(this.database, listing, [caller.id], slice, (row: PostRow) => postResource(row, caller.id, this.wire));
  }
}

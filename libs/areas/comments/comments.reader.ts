import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import { Page, type Slice } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import {
  COMMENTS_WITH_REPLIES,
  HAS_PUBLIC_COMMENT,
  THREADS_OF_SUBJECT,
  type CommentRow,
  type ThreadsRow,
} from './comment.query';
import { commentsById, threadResources, type CommentResource } from './comment.resource';
import type { Subject } from './subject';

/** Reads comments. The calling code must have checked that the caller may see these comments. */
@Injectable()
export class CommentsReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** A page of threads with all their replies. The total counts threads. */
  async threads(caller: Caller, { kind, id }: Subject, slice: Slice): Promise<Page<CommentResource>> {
    const rows = await this.database.rows<ThreadsRow>(THREADS_OF_SUBJECT[kind], [id, slice.limit, slice.offset]);
    return new Page(threadResources(rows, caller, this.wire), rows[0]?.total ?? 0, slice);
  }

  /** The comments with these ids, by id. Each root comment contains all its replies. */
  async byIds(
    database: Queryable,
    caller: Caller,
    commentIds: readonly number[],
  ): Promise<Map<number, CommentResource>> {
    return commentsById(await database.rows<CommentRow>(COMMENTS_WITH_REPLIES, [commentIds]), caller, this.wire);
  }

  /** Whether the user has commented on a public event or a published post. */
  async hasPublicComment(database: Queryable, authorId: number): Promise<boolean> {
    return (await database.rows(HAS_PUBLIC_COMMENT, [authorId])).length > 0;
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Page, type Slice } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { THREADS_OF_SUBJECT, type ThreadsRow } from './comment.query';
import { threadResources, type CommentResource } from './comment.resource';
import type { Subject } from './subject';

/** Lists of comments; the caller has checked their visibility. */
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
}

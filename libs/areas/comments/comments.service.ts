import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Page, sliceOf, type PageQueryDto } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { COMMENT, THREADS, type FoundCommentRow, type PageRow } from './comment.query';
import { mayDelete, threadResources, type CommentResource } from './comment.resource';
import { CommentsCommands } from './comments.commands';
import type { NamedSubject, Subject } from './subject';
import { Subjects } from './subjects';

/** Reading and deleting comments (CMT-3, CMT-11). */
@Injectable()
export class CommentsService {
  constructor(
    private readonly database: Database,
    private readonly subjects: Subjects,
    private readonly commands: CommentsCommands,
    private readonly wire: WireFormat,
  ) {}

  /** A page of threads with all their replies, in two round trips. The total counts threads. */
  async list(caller: Caller, named: NamedSubject, input: Input<PageQueryDto>): Promise<Page<CommentResource>> {
    const subject = await this.subjects.visible(this.database, named, caller.id);
    const slice = sliceOf(input.read());
    const rows = await this.database.rows<PageRow>(THREADS[subject.kind], [subject.id, slice.limit, slice.offset]);
    return new Page(threadResources(rows, caller, this.wire), rows[0]?.total ?? 0, slice);
  }

  /** A root goes with its replies. 403 `forbidden` for others who see it, 404 for who does not. */
  async remove(caller: Caller, commentId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [comment] = await tx.rows<FoundCommentRow>(COMMENT, [commentId]);
      if (!comment) throw new Refusal('not_found');
      const subject = subjectOf(comment);
      if (!mayDelete(caller, Number(comment.author_id))) {
        await this.subjects.visible(tx, subject, caller.id);
        throw new Refusal('forbidden');
      }
      await this.commands.remove(tx, subject, commentId);
    });
  }
}

function subjectOf({ event_id, post_id }: FoundCommentRow): Subject {
  return event_id === null ? { kind: 'post', id: Number(post_id) } : { kind: 'event', id: Number(event_id) };
}

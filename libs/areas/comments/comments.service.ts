import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import type { Caller } from '../identity/caller.reader';
import { Comment } from './comment.entity';
import type { CommentResource } from './comment.resource';
import { CommentsCommands } from './comments.commands';
import { CommentsReader } from './comments.reader';
import type { NamedSubject } from './subject';
import { Subjects } from './subjects';

/** Lists and deletes comments (CMT-3, CMT-11). */
@Injectable()
export class CommentsService {
  constructor(
    private readonly database: Database,
    private readonly subjects: Subjects,
    private readonly commands: CommentsCommands,
    private readonly reader: CommentsReader,
  ) {}

  /** Returns a page of threads with all their replies. The total counts threads. */
  async list(caller: Caller, named: NamedSubject, input: Input<PageQueryDto>): Promise<Page<CommentResource>> {
    const subject = await this.subjects.visible(this.database, named, caller.id);
    return this.reader.threads(caller, subject, sliceOf(input.read()));
  }

  /**
   * Deletes a comment, and all replies if the comment is a root. Throws 404 if the comment does not exist. If the
   * caller may not delete the comment, throws 403 `forbidden`, or the refusal of `Subjects.visible` if the caller does
   * not see the event or post.
   */
  async removeComment(caller: Caller, commentId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const comment = await findComment(tx, commentId);
      const root = comment.rootId === null ? comment : await findComment(tx, comment.rootId);
      if (!root.subject) throw new Error('a root comment has no subject');
      if (!comment.mayBeDeletedBy(caller)) {
        await this.subjects.visible(tx, root.subject, caller.id);
        throw new Refusal('forbidden');
      }
      await this.commands.removeComment(tx, root.subject, commentId);
    });
  }
}

async function findComment(tx: Transaction, id: number): Promise<Comment> {
  const comment = await tx.manager.findOneBy(Comment, { id });
  if (!comment) throw new Refusal('not_found');
  return comment;
}

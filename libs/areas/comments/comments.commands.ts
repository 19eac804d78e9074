import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Queryable, Statement, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import type { MediaKey } from '#platform/storage/media-key';
import type { Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { CommentRate } from './comment-rate';
import { CONCERNED_BY_COMMENT } from './comment-notices.query';
import { Comment, newReply, newRoot, type CommentContent } from './comment.entity';
import {
  DELETE_COMMENT_WITH_REPLIES,
  DELETE_COMMENTS_OF_SUBJECT,
  DELETE_OLD_THREADS,
  LOCK_ROOT_OF_COMMENT,
  LOCK_SUBJECT,
  ROOT_OF_COMMENT,
} from './comment.query';
import type { Subject, SubjectKind } from './subject';

/** A new comment. If it has an image, the image is already stored, and `addComment` marks the image as used. */
interface NewComment extends Omit<CommentContent, 'createdAt'> {
  /** The id of the comment that is answered; null for a new thread. */
  readonly parentId: number | null;
}

/** Adds and deletes comments, inside the transaction of the calling code, which checks the rights. */
@Injectable()
export class CommentsCommands {
  constructor(
    private readonly rate: CommentRate,
    private readonly media: MediaFiles,
    private readonly notifications: NotificationsCommands,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal that `addComment` would throw now. Locks nothing, and counts no comment. */
  async refuseEarly(
    database: Queryable,
    subject: Subject,
    { parentId, authorId }: Pick<NewComment, 'parentId' | 'authorId'>,
  ): Promise<void> {
    if (parentId !== null) await rootOf(database, ROOT_OF_COMMENT, subject, parentId);
    await this.rate.refuseWhenFull(database, authorId);
  }

  /** How much of the limit of comments per minute the author has used. */
  usage(database: Queryable, authorId: number): Promise<Usage> {
    return this.rate.usage(database, authorId);
  }

  /**
   * Adds a comment to a subject that the calling code has locked, and notifies the concerned people. If the subject is
   * an event that now has too many threads, the oldest threads are deleted. Throws 422 `parent_invalid` if the parent
   * does not exist or is on another subject, and 429 `rate_limited` if the author has written too many comments within
   * a minute.
   */
  async addComment(tx: Transaction, subject: Subject, { parentId, ...written }: NewComment): Promise<Comment> {
    const rootId = parentId === null ? null : await rootOf(tx, LOCK_ROOT_OF_COMMENT, subject, parentId);
    await this.rate.countComment(tx, written.authorId);
    if (written.imageKey !== null) await this.media.keep(tx, [written.imageKey]);
    const content = { ...written, createdAt: this.clock.now() };
    const comment = rootId === null ? newRoot(subject, content) : newReply(rootId, content);
    await tx.manager.insert(Comment, comment);
    await this.notify(tx, subject, comment);
    if (rootId === null && subject.kind === 'event') await this.deleteOldThreads(tx, subject.id);
    return comment;
  }

  /**
   * Notifies the owner of the subject and the people who wrote in the thread, except the comment's author, people who
   * block the author, and people who do not see the subject (NOTE-15).
   */
  private async notify(
    tx: Transaction,
    { kind, id }: Subject,
    { id: commentId, rootId, authorId }: Comment,
  ): Promise<void> {
    const concerned = await tx.rows<{ user_id: string; slug: string; title: string }>(CONCERNED_BY_COMMENT[kind], [
      id,
      authorId,
      rootId,
    ]);
    const [first] = concerned;
    if (!first) return;
    await this.notifications.notifyOfComment(tx, {
      userIds: concerned.map(({ user_id }) => Number(user_id)),
      commentId,
      threadId: rootId ?? commentId,
      authorId,
      of: kind === 'event' ? { eventId: id } : { postId: id, slug: first.slug, title: first.title },
    });
  }

  /**
   * Deletes a comment, and all replies if the comment is a root. The images are deleted after the commit. Throws 404 if
   * the comment or its subject was deleted in the meantime.
   */
  async removeComment(tx: Transaction, { kind, id }: Subject, commentId: number): Promise<void> {
    if ((await tx.rows(LOCK_SUBJECT[kind], [id])).length === 0) throw new Refusal('not_found');
    // The lock on the comment prevents new replies.
    const comment = await tx.manager.findOne(Comment, {
      where: { id: commentId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!comment) throw new Refusal('not_found');
    await this.deleteWithImages(tx, DELETE_COMMENT_WITH_REPLIES, [commentId]);
  }

  /** Deletes all comments on a subject. The calling code has locked the subject and will delete it. */
  async removeCommentsOf(tx: Transaction, { kind, id }: Subject): Promise<void> {
    await this.deleteWithImages(tx, DELETE_COMMENTS_OF_SUBJECT[kind], [id]);
  }

  /**
   * Keeps the newest 100 threads of an event, and deletes the older ones (CMT-10). Threads that a moderator removed do
   * not count and are not deleted.
   */
  private async deleteOldThreads(tx: Transaction, eventId: number): Promise<void> {
    await this.deleteWithImages(tx, DELETE_OLD_THREADS, [eventId, LIMITS.comments.threads_per_event]);
  }

  private async deleteWithImages(tx: Transaction, sql: Statement, values: readonly unknown[]): Promise<void> {
    const deleted = await tx.rows<{ image_key: MediaKey | null }>(sql, values);
    await this.media.markForDeletion(
      tx,
      deleted.map(({ image_key }) => image_key).filter((key) => key !== null),
    );
  }
}

/** Returns the id of the root of the thread that contains the parent (a root or a reply, CMT-7). */
async function rootOf(
  database: Queryable,
  statements: Record<SubjectKind, Statement>,
  { kind, id }: Subject,
  parentId: number,
): Promise<number> {
  const [root] = await database.rows<{ id: string }>(statements[kind], [id, parentId]);
  if (!root) throw new Refusal('parent_invalid');
  return Number(root.id);
}

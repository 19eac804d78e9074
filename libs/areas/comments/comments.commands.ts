import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Queryable, Statement, Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import type { MediaKey } from '#platform/media/media-key';
import { Clock } from '#platform/time/clock';
import { CommentRate } from './comment-rate';
import { ADD_REPLY, ADD_ROOT, DELETE_ALL, DELETE_THREAD, HOLD_ROOT, LOCK_COMMENT, LOCK_SUBJECT, PRUNE, type CommentRow } from './comment.query';
import type { Subject } from './subject';

/** What is written. */
interface NewComment {
  readonly authorId: number;
  readonly body: string | null;
  /** Stored, and kept from now on. */
  readonly imageKey: MediaKey | null;
  /** The comment replied to. */
  readonly parentId: number | null;
}

/** What may be done to comments, inside a transaction of the one who asks; who may ask is theirs to know. */
@Injectable()
export class CommentsCommands {
  constructor(
    private readonly rate: CommentRate,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /** 429 `rate_limited` when `add` would answer it; counts nothing. */
  async refuseWhenFull(on: Queryable, authorId: number): Promise<void> {
    await this.rate.refuseWhenFull(on, authorId);
  }

  /**
   * Writes a comment on a subject that the caller has locked, and prunes an event's threads. 422 `parent_invalid` for a parent
   * that is not there or elsewhere, 429 `rate_limited`.
   */
  async add(tx: Transaction, subject: Subject, { authorId, body, imageKey, parentId }: NewComment): Promise<CommentRow> {
    const rootId = parentId === null ? null : await holdRoot(tx, subject, parentId);
    await this.rate.take(tx, authorId);
    if (imageKey !== null) await this.media.keep(tx, [imageKey]);
    const now = this.clock.now();
    const [sql, on] = rootId === null ? [ADD_ROOT[subject.kind], subject.id] : [ADD_REPLY, rootId];
    const [added] = await tx.rows<{ id: string }>(sql, [on, authorId, body, imageKey, now]);
    if (!added) throw new Error('the comment was not stored');
    if (rootId === null && subject.kind === 'event') await this.prune(tx, subject.id);
    return { id: added.id, root_id: rootId, body, image_key: imageKey, created_at: now, author_id: String(authorId) };
  }

  /** With its replies, if it is a root; the images go once this is committed. 404 when it has just gone. */
  async remove(tx: Transaction, { kind, id }: Subject, commentId: number): Promise<void> {
    await tx.rows(LOCK_SUBJECT[kind], [id]);
    const locked = await tx.rows(LOCK_COMMENT, [commentId]);
    if (locked.length === 0) throw new Refusal('not_found');
    await this.deleteWithImages(tx, DELETE_THREAD, [commentId]);
  }

  /** Everything said about a subject that the caller has locked to delete it. */
  async removeAll(tx: Transaction, { kind, id }: Subject): Promise<void> {
    await this.deleteWithImages(tx, DELETE_ALL[kind], [id]);
  }

  /** An event keeps its newest 100 threads (CMT-10). */
  private async prune(tx: Transaction, eventId: number): Promise<void> {
    await this.deleteWithImages(tx, PRUNE, [eventId, LIMITS.comments.threads_per_event]);
  }

  private async deleteWithImages(tx: Transaction, sql: Statement, values: readonly unknown[]): Promise<void> {
    const deleted = await tx.rows<{ image_key: MediaKey | null }>(sql, values);
    await this.media.doom(tx, deleted.map(({ image_key }) => image_key).filter((key) => key !== null));
  }
}

/** Replies to replies go under the thread's root (CMT-7). */
async function holdRoot(tx: Transaction, { kind, id }: Subject, parentId: number): Promise<string> {
  const [root] = await tx.rows<{ id: string }>(HOLD_ROOT[kind], [id, parentId]);
  if (!root) throw new Refusal('parent_invalid');
  return root.id;
}

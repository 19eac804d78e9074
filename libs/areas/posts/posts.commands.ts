import { Injectable } from '@nestjs/common';
import { DEFAULT_POST_STATUS } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { MediaFiles } from '#platform/media/media-files';
import type { MediaKey } from '#platform/storage/media-key';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { EventAccessPolicy } from '../events/event-access.policy';
import { preventDeletion } from '../events/event-locks';
import { changePost, cleanBody } from './post.changes';
import type { CreatePostDto, UpdatePostDto } from './post.dto';
import { Post } from './post.entity';
import { ADD_POST } from './post.query';
import { PostDeleted } from './post.signal';
import { slugsFor } from './post.slug';

/** Writes to posts, inside the transaction of the calling code. The calling code checks the rights. */
@Injectable()
export class PostsCommands {
  constructor(
    private readonly access: EventAccessPolicy,
    private readonly ids: PublicIds,
    private readonly signals: Signals,
    private readonly media: MediaFiles,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the new post's id. Throws 422 for a body without text, and for an event that the author neither organizes
   * nor attends.
   */
  async add(tx: Transaction, authorId: number, fields: CreatePostDto): Promise<number> {
    const { title, categories, location = null, excerpt = null, status = DEFAULT_POST_STATUS } = fields;
    const body = cleanBody(fields.body);
    const eventId = await this.eventChosenBy(tx, authorId, fields.event_id ?? null);
    const now = this.clock.now();
    const publishedAt = status === 'published' ? now : null;
    for (const slug of slugsFor(title)) {
      const values = [slug, authorId, eventId, title, excerpt, body, categories, location, status, publishedAt, now];
      const [added] = await tx.rows<{ id: string }>(ADD_POST, values);
      if (added) return Number(added.id);
    }
    throw new Error('no free slug was found');
  }

  /**
   * Writes the given fields of the author's post. If no value changes, nothing is written. If the fields contain an
   * event, this method first prevents the deletion of the event (`eventChosenBy`), and then locks the post. `check`
   * checks the precondition (`If-Match`) as soon as the post is locked.
   */
  async change(
    tx: Transaction,
    postId: number,
    authorId: number,
    fields: UpdatePostDto,
    check: (post: Post) => Promise<void>,
  ): Promise<void> {
    const eventId = fields.event_id === undefined ? undefined : await this.eventChosenBy(tx, authorId, fields.event_id);
    const post = await lockPost(tx, postId);
    await check(post);
    if (changePost(post, fields, eventId, this.clock.now())) await tx.manager.save(Post, post);
  }

  /** Sets or removes the post's cover. The files of the former cover are deleted after the commit. */
  async setCover(tx: Transaction, postId: number, cover: MediaKey | null): Promise<void> {
    const post = await lockPost(tx, postId);
    const old = post.coverKey;
    if (cover === old) return;
    if (cover !== null) await this.media.keep(tx, [cover]);
    post.coverKey = cover;
    post.updatedAt = this.clock.now();
    await tx.manager.save(Post, post);
    if (old !== null) await this.media.markForDeletion(tx, [old]);
  }

  /**
   * Deletes the post with its comments. The files of both are deleted after the commit. `check` checks the precondition
   * (`If-Match`) as soon as the post is locked.
   */
  async remove(tx: Transaction, postId: number, check: (post: Post) => Promise<void>): Promise<void> {
    const post = await lockPost(tx, postId);
    await check(post);
    await this.signals.raise(tx, new PostDeleted(postId));
    await tx.manager.delete(Post, { id: postId });
    if (post.coverKey !== null) await this.media.markForDeletion(tx, [post.coverKey]);
  }

  /**
   * Returns the id of the event that the post is about (POST-4), or null if no event was sent. Throws 422 on `event_id`
   * for an event that is unknown or that the author neither organizes nor attends. Prevents the event's deletion until
   * the transaction ends.
   */
  private async eventChosenBy(tx: Transaction, authorId: number, sentId: string | null): Promise<number | null> {
    if (sentId === null) return null;
    const eventId = this.ids.decodeEvent(sentId);
    if (eventId === null || !(await this.authorTakesPart(tx, eventId, authorId)))
      throw Refusal.invalid('event_id', 'not_your_event');
    return eventId;
  }

  /** Prevents the event's deletion, and returns whether the author organizes or attends the event. */
  private async authorTakesPart(tx: Transaction, eventId: number, authorId: number): Promise<boolean> {
    await preventDeletion(tx, eventId);
    const relation = await this.access.relation(tx, eventId, authorId);
    return relation?.takesPart ?? false;
  }
}

/** Locks the post. Throws 404 if the post was deleted, or removed by a moderator, in the meantime. */
async function lockPost(tx: Transaction, postId: number): Promise<Post> {
  const post = await tx.manager.findOne(Post, { where: { id: postId }, lock: { mode: 'pessimistic_write' } });
  if (!post) throw new Refusal('not_found');
  return post;
}

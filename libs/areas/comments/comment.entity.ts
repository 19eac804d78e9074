import { Column, Entity } from 'typeorm';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { MediaKey } from '#platform/storage/media-key';
import type { Caller } from '../identity/caller.reader';
import type { Subject } from './subject';

/** A comment (CMT-1). A root refers to its event or post; a reply refers to its root. Authors cannot edit comments. */
@Entity('comments')
export class Comment {
  @Id()
  id: number;

  /** Set only in the root of a thread on an event. */
  @Ref({ name: 'event_id', nullable: true })
  eventId: number | null;

  /** Set only in the root of a thread on a post. */
  @Ref({ name: 'post_id', nullable: true })
  postId: number | null;

  /** Set only in a reply. */
  @Ref({ name: 'root_id', nullable: true })
  rootId: number | null;

  @Ref({ name: 'author_id' })
  authorId: number;

  /** Plain text; null if the comment has only an image, or if its author was erased. */
  @Column('text', { nullable: true })
  body: string | null;

  @Column('text', { name: 'image_key', nullable: true })
  imageKey: MediaKey | null;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  /** The event or post of a root; null for a reply, which has the subject of its root. */
  get subject(): Subject | null {
    if (this.eventId !== null) return { kind: 'event', id: this.eventId };
    return this.postId === null ? null : { kind: 'post', id: this.postId };
  }

  /** Whether the user may delete the comment: its author, moderators and admins may (CMT-11). */
  mayBeDeletedBy({ id, moderator, admin }: Pick<Caller, 'id' | 'moderator' | 'admin'>): boolean {
    return id === this.authorId || moderator || admin;
  }
}

/** A comment's author, text, image and time. */
export type CommentContent = Pick<Comment, 'authorId' | 'body' | 'imageKey' | 'createdAt'>;

/** Creates a root, which is the first comment of a thread. */
export function newRoot({ kind, id }: Subject, content: CommentContent): Comment {
  const about = kind === 'event' ? { eventId: id, postId: null } : { eventId: null, postId: id };
  return Object.assign(new Comment(), about, { rootId: null }, content);
}

/** Creates a reply to a root. */
export function newReply(rootId: number, content: CommentContent): Comment {
  return Object.assign(new Comment(), { eventId: null, postId: null, rootId }, content);
}

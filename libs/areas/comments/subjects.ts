import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { EventAccessPolicy, type EventRelation } from '../events/event-access.policy';
import { PostAccessPolicy, type SeenPost } from '../posts/post-access.policy';
import { LOCK_SUBJECT } from './comment.query';
import type { NamedSubject, SeenSubject, Subject } from './subject';

/** Determines who may see a subject (the event or post of comments), and who may comment on it (CMT-3, CMT-4). */
@Injectable()
export class Subjects {
  constructor(
    private readonly events: EventAccessPolicy,
    private readonly posts: PostAccessPolicy,
  ) {}

  /** Throws 404 if the user does not see the subject, and 403 `banned` if the user is banned from a public event. */
  async visible(database: Queryable, subject: NamedSubject | Subject, userId: number): Promise<SeenSubject> {
    if (subject.kind === 'event') return seenEvent(await this.events.visible(database, subject.id, userId));
    const post =
      'slug' in subject
        ? this.posts.visible(database, subject.slug, userId)
        : this.posts.visibleById(database, subject.id, userId);
    return seenPost(await post);
  }

  /** Locks the subject, and then does the same as `visible`. */
  async lockVisible(tx: Transaction, subject: Subject, userId: number): Promise<SeenSubject> {
    await tx.rows(LOCK_SUBJECT[subject.kind], [subject.id]);
    return this.visible(tx, subject, userId);
  }
}

function seenEvent({ eventId, takesPart }: EventRelation): SeenSubject {
  return { kind: 'event', id: eventId, mayComment: takesPart };
}

function seenPost({ postId, isPublished }: SeenPost): SeenSubject {
  return { kind: 'post', id: postId, mayComment: isPublished };
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { blocksSql } from '../identity/account-conditions.sql';
import type { OtherNoticeSubject } from './notice.query';
import type { NoticeKind } from './notice.texts';

export type { NoticeKind } from './notice.texts';

/** A notice about one event, and its recipients. `personId` is the acting person; null if the notice names nobody. */
interface Notice {
  readonly eventId: number;
  readonly userIds: readonly number[];
  readonly personId?: number | null;
  /** Values of the text's placeholders. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A notice to one person about one event. */
interface PersonalNotice {
  readonly eventId: number;
  readonly userId: number;
  /** The number of credits that are refunded to the recipient; 0 by default. */
  readonly refundedCredits?: number;
}

/**
 * Stores notices about events. The title and start of an event are copied, because a notice shows the values from the
 * time when the notice was created. The view `events` does not contain events that are hidden from everyone, so no
 * notice about such an event is stored.
 */
const INSERT_NOTIFICATIONS = statement(
  'notifications_insert',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, person_id, created_at, refunded_credits, words)
   SELECT n.user_id, $1, e.id, e.title, e.starts_at, $4, $5, n.refunded, $7::jsonb
     FROM unnest($2::bigint[], $3::bigint[], $6::bigint[]) AS n (event_id, user_id, refunded) JOIN events e ON e.id = n.event_id`,
);

/** A notice to one person about an object that is not an event. */
interface OtherNotice {
  readonly userId: number;
  readonly subject: { readonly type: OtherNoticeSubject; readonly id: number };
  /** Values of the text's placeholders. */
  readonly words: Readonly<Record<string, string>>;
}

const INSERT_OTHER_NOTIFICATION = statement(
  'notifications_insert_other',
  'INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
);

/**
 * Stores a notice to the organizer of event $2 about new people. $4 is the number of new people. $3 are the people whom
 * the notice names.
 */
const INSERT_DIGEST = statement(
  'notifications_insert_digest',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, people, words, created_at)
   SELECT e.organizer_id, $1, e.id, e.title, e.starts_at, $3, jsonb_build_object('count', $4::text), $5 FROM events e WHERE e.id = $2`,
);

/** A comment, and the people to be notified of it. */
interface CommentNotice {
  readonly userIds: readonly number[];
  readonly commentId: number;
  /** The first comment of the thread. */
  readonly threadId: number;
  readonly authorId: number;
  /** The event or post that the comment belongs to. */
  readonly of:
    { readonly eventId: number } | { readonly postId: number; readonly slug: string; readonly title: string };
}

/** A message of an organizer, and its recipients. */
interface MessageNotice {
  readonly userIds: readonly number[];
  readonly eventId: number;
  readonly messageId: number;
  readonly personId: number;
}

/**
 * Stores notices to users $1 about a comment. A person who has an unread notice about the thread gets no second notice.
 * If another transaction is storing a notice to the same person about the same thread, this statement waits for the end
 * of that transaction.
 */
const INSERT_COMMENT_NOTICES = statement(
  'notifications_insert_comment_notices',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, subject_type, subject_id, thread_id, person_id, words, created_at, post_id)
   SELECT n.user_id, 'comment', $2, (SELECT e.title FROM events e WHERE e.id = $2), 'comment', $3, $4, $5, $6, $7, $8
     FROM unnest($1::bigint[]) AS n (user_id) ORDER BY n.user_id
   ON CONFLICT (user_id, thread_id) WHERE kind = 'comment' AND read_at IS NULL DO NOTHING`,
);

/** Stores notices to users $1 about message $3 of event $2. */
const INSERT_MESSAGE_NOTICES = statement(
  'notifications_insert_message_notices',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, subject_type, subject_id, person_id, created_at)
   SELECT n.user_id, 'organizer_message', e.id, e.title, 'message', $3, $4, $5 FROM unnest($1::bigint[]) AS n (user_id), events e WHERE e.id = $2`,
);

/**
 * Stores a notice to user $1 about an action of person $4 in group $3. If $1 or $4 is null, the group's owner takes the
 * place of this person. No notice is stored if the recipient blocks the acting person.
 */
const INSERT_GROUP_NOTICE = statement(
  'notifications_insert_group_notice',
  `INSERT INTO notifications (user_id, kind, subject_type, subject_id, person_id, words, created_at)
   SELECT coalesce($1::bigint, g.owner_id), $2, 'group', g.id, actor.id, jsonb_build_object('group', g.name), $5
     FROM groups g CROSS JOIN LATERAL (SELECT coalesce($4::bigint, g.owner_id) AS id) actor
    WHERE g.id = $3 AND NOT ${blocksSql('coalesce($1::bigint, g.owner_id)', 'actor.id')}`,
);

/** Stores notices to people, in the transaction of the action that causes them. Mails are sent after the commit. */
@Injectable()
export class NotificationsCommands {
  constructor(private readonly clock: Clock) {}

  /** Notifies all recipients about one event. */
  async notify(
    tx: Transaction,
    kind: NoticeKind,
    { eventId, userIds, personId = null, words = {} }: Notice,
  ): Promise<void> {
    await this.notifyEach(
      tx,
      kind,
      userIds.map((userId) => ({ eventId, userId })),
      personId,
      words,
    );
  }

  /** Notifies one recipient about an object that is not an event. */
  async notifyAbout(tx: Transaction, kind: NoticeKind, { userId, subject, words }: OtherNotice): Promise<void> {
    await tx.rows(INSERT_OTHER_NOTIFICATION, [
      userId,
      kind,
      subject.type,
      subject.id,
      JSON.stringify(words),
      this.clock.now(),
    ]);
  }

  /**
   * Notifies the organizer of an event about new participants or new people on the waitlist. `people` are in the order
   * in which they joined.
   */
  async notifyOrganizer(
    tx: Transaction,
    kind: 'joined' | 'waitlisted',
    { eventId, people }: { readonly eventId: number; readonly people: readonly number[] },
  ): Promise<void> {
    const named = people.slice(0, LIMITS.notices.named);
    await tx.rows(INSERT_DIGEST, [kind, eventId, named, people.length, this.clock.now()]);
  }

  /** Notifies people of a comment. Each of them has at most one unread notice for the thread (NOTE-15). */
  async notifyOfComment(tx: Transaction, { userIds, commentId, threadId, authorId, of }: CommentNotice): Promise<void> {
    if (userIds.length === 0) return;
    const does = commentId === threadId ? 'comment' : 'reply';
    const isOfEvent = 'eventId' in of;
    const words = isOfEvent ? { does } : { does, post: of.slug, title: of.title };
    await tx.rows(INSERT_COMMENT_NOTICES, [
      userIds,
      isOfEvent ? of.eventId : null,
      commentId,
      threadId,
      authorId,
      JSON.stringify(words),
      this.clock.now(),
      isOfEvent ? null : of.postId,
    ]);
  }

  /** Notifies the recipients of an organizer's message (MSG-2). */
  async notifyOfMessage(tx: Transaction, { userIds, eventId, messageId, personId }: MessageNotice): Promise<void> {
    await tx.rows(INSERT_MESSAGE_NOTICES, [userIds, eventId, messageId, personId, this.clock.now()]);
  }

  /**
   * Notifies user `userId` about an action of person `personId` in a group. If `userId` or `personId` is null, the
   * group's owner takes the place of this person.
   */
  async notifyOfGroup(
    tx: Transaction,
    kind: 'group_invitation' | 'group_request' | 'group_approval',
    { groupId, userId, personId }: { groupId: number; userId: number | null; personId: number | null },
  ): Promise<void> {
    await tx.rows(INSERT_GROUP_NOTICE, [userId, kind, groupId, personId, this.clock.now()]);
  }

  /** Notifies many recipients in one statement. Each notice has its own event. */
  async notifyEach(
    tx: Transaction,
    kind: NoticeKind,
    notices: readonly PersonalNotice[],
    personId: number | null = null,
    words: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (notices.length === 0) return;
    await tx.rows(INSERT_NOTIFICATIONS, [
      kind,
      notices.map(({ eventId }) => eventId),
      notices.map(({ userId }) => userId),
      personId,
      this.clock.now(),
      notices.map(({ refundedCredits = 0 }) => refundedCredits),
      JSON.stringify(words),
    ]);
  }
}

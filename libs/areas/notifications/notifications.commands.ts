import { Injectable } from '@nestjs/common';
import { statement, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import type { OtherNoticeSubject } from './notice.query';
import type { NoticeKind } from './notice.texts';

export type { NoticeKind } from './notice.texts';

/** The event and the recipients; `personId` is the acting person, if the notice names one. */
interface Notice {
  readonly eventId: number;
  readonly userIds: readonly number[];
  readonly personId?: number | null;
}

/** One person's notice about one event. */
interface PersonalNotice {
  readonly eventId: number;
  readonly userId: number;
  /** Whole credits returned to the recipient; default 0. */
  readonly refundedCredits?: number;
}

/** Title and time are copied: the notice shows the values of its time. */
const INSERT_NOTIFICATIONS = statement(
  'notifications_tell',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, person_id, created_at, refunded_credits)
   SELECT n.user_id, $1, e.id, e.title, e.starts_at, $4, $5, n.refunded
     FROM unnest($2::bigint[], $3::bigint[], $6::bigint[]) AS n (event_id, user_id, refunded) JOIN events e ON e.id = n.event_id`,
);

/** One person's notice about a thing that is not an event. */
interface OtherNotice {
  readonly userId: number;
  readonly subject: { readonly type: OtherNoticeSubject; readonly id: number };
  /** Values of the text's placeholders. */
  readonly words: Readonly<Record<string, string>>;
}

const INSERT_OTHER_NOTIFICATION = statement(
  'notifications_tell_other',
  'INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
);

/** Notices to people, inserted in the transaction of the action. Mails follow after the commit. */
@Injectable()
export class NotificationsCommands {
  constructor(private readonly clock: Clock) {}

  /** All recipients, about one event. */
  async notify(tx: Transaction, kind: NoticeKind, { eventId, userIds, personId = null }: Notice): Promise<void> {
    await this.notifyEach(
      tx,
      kind,
      userIds.map((userId) => ({ eventId, userId })),
      personId,
    );
  }

  /** The owner of a webhook, about it. */
  async notifyAboutWebhook(
    tx: Transaction,
    kind: 'webhook_paused',
    { webhookId, userId, url }: { webhookId: number; userId: number; url: string },
  ): Promise<void> {
    await this.notifyAbout(tx, kind, { userId, subject: { type: 'webhook', id: webhookId }, words: { url } });
  }

  /** One recipient, about a thing that is not an event. */
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

  /** Many recipients, each about another event: one statement. */
  async notifyEach(
    tx: Transaction,
    kind: NoticeKind,
    notices: readonly PersonalNotice[],
    personId: number | null = null,
  ): Promise<void> {
    if (notices.length === 0) return;
    await tx.rows(INSERT_NOTIFICATIONS, [
      kind,
      notices.map(({ eventId }) => eventId),
      notices.map(({ userId }) => userId),
      personId,
      this.clock.now(),
      notices.map(({ refundedCredits = 0 }) => refundedCredits),
    ]);
  }
}

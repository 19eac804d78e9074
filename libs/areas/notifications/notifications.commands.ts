import { Injectable } from '@nestjs/common';
import { statement, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import type { NoticeKind } from './notice.texts';

export type { NoticeKind } from './notice.texts';

/** About which event, to whom; `personId` is who did it, where the notice says so. */
interface Notice {
  readonly eventId: number;
  readonly userIds: readonly number[];
  readonly personId?: number | null;
}

/** Title and time are those of the moment: the notice tells what was. */
const TELL = statement(
  'notifications_tell',
  `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, person_id, created_at)
   SELECT n.user_id, $1, e.id, e.title, e.starts_at, $4, $5
     FROM unnest($2::bigint[], $3::bigint[]) AS n (event_id, user_id) JOIN events e ON e.id = n.event_id`,
);

/** Notices to people: rows of the transaction that did what they tell. Mail, if any, follows the commit. */
@Injectable()
export class NotificationsCommands {
  constructor(private readonly clock: Clock) {}

  /** Everybody named, about one event. */
  async tell(tx: Transaction, kind: NoticeKind, { eventId, userIds, personId = null }: Notice): Promise<void> {
    await this.tellPairs(tx, kind, userIds.map((userId) => ({ eventId, userId })), personId);
  }

  /** Many at once, each about an event of its own: one statement. */
  async tellPairs(tx: Transaction, kind: NoticeKind, pairs: readonly { eventId: number; userId: number }[], personId: number | null = null): Promise<void> {
    if (pairs.length === 0) return;
    await tx.rows(TELL, [kind, pairs.map(({ eventId }) => eventId), pairs.map(({ userId }) => userId), personId, this.clock.now()]);
  }
}

import { Injectable } from '@nestjs/common';
import { statement, type Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { isOpenSql } from '../events/event-relation';
import type { EventDeleted } from '../events/event.signal';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { IS_CONCERNED } from './record/participation.query';

/**
 * The people to be notified. Returns no rows if event $1 is hidden from everyone, has ended by $2 or is cancelled: the
 * people of a cancelled event have already got notices about the cancellation.
 */
const SELECT_CONCERNED_BY_DELETION = statement(
  'participation_concerned_by_deletion',
  `SELECT p.user_id FROM participations p JOIN events e ON e.id = p.event_id
    WHERE p.event_id = $1 AND ${isOpenSql('$2')} AND ${IS_CONCERNED} ORDER BY p.user_id`,
);

/**
 * Notifies the people concerned (`IS_CONCERNED`) of the deletion of an event, unless the event is hidden from everyone,
 * over or cancelled (JOIN-47).
 */
@Injectable()
export class NotifyAboutDeletedEvent implements Reaction<EventDeleted> {
  constructor(
    private readonly notifications: NotificationsCommands,
    private readonly clock: Clock,
  ) {}

  async react(tx: Transaction, { eventId }: EventDeleted): Promise<void> {
    const recipients = await tx.rows<{ user_id: string }>(SELECT_CONCERNED_BY_DELETION, [eventId, this.clock.now()]);
    await this.notifications.notify(tx, 'event_deleted', {
      eventId,
      userIds: recipients.map(({ user_id }) => Number(user_id)),
    });
  }
}

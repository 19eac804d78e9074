import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { MESSAGED_STATES, type MessageAudience, type MessagedState } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { pragueDay, secondsUntilPragueMidnight } from '#platform/time/prague';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { ParticipationReader } from '../participation/participation.reader';
import type { SendMessageDto } from './message.dto';
import { ADD_MESSAGE, MESSAGES_OF_DAY, MESSAGES_OF_EVENT, MESSAGES_OF_EVENT_TOTAL } from './message.query';
import { messageResource, type MessageResource, type MessageRow } from './message.resource';

const { after_end, per_day } = LIMITS.messages;

/** Messages of organizers to the people of their events (MSG-1). */
@Injectable()
export class MessagesService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly participations: ParticipationReader,
    private readonly notifications: NotificationsCommands,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The messages of an event, the newest first. Only the organizer may read this list. */
  async list(caller: Caller, eventId: number, input: Input<PageQueryDto>): Promise<Page<MessageResource>> {
    await this.access.organized(this.database, eventId, caller.id);
    const listing = { list: MESSAGES_OF_EVENT, total: MESSAGES_OF_EVENT_TOTAL };
    const messages = await readPage<MessageRow>(this.database, listing, [eventId], sliceOf(input.read()));
    return messages.map((row) => messageResource(row, this.wire));
  }

  /**
   * Stores a message and notifies its recipients. Throws 409 `conflict` if the time for messages has passed or there
   * are no recipients. After these checks, throws 429 `daily_message_limit` if the event already has the maximum number
   * of messages of one Prague day (MSG-3).
   */
  async send(caller: Caller, eventId: number, input: Input<SendMessageDto>): Promise<MessageResource> {
    return this.database.transaction(async (tx) => {
      const event = await this.access.lockOrganized(tx, eventId, caller.id);
      const { text, to } = input.read();
      const now = this.clock.now();
      if (isTooLateForMessage(event.overAt, now)) throw new Refusal('conflict');
      const userIds = await this.participations.reachableUserIds(tx, event, statesOf(to));
      if (userIds.length === 0) throw new Refusal('conflict');
      await this.refuseAboveLimit(tx, eventId, now);

      const [row] = await tx.rows<MessageRow>(ADD_MESSAGE, [eventId, text, to, pragueDay(now), userIds, now]);
      if (!row) throw new Error('a message was not stored');
      await this.notifications.notifyOfMessage(tx, {
        eventId,
        userIds,
        messageId: Number(row.id),
        personId: caller.id,
      });
      return messageResource(row, this.wire);
    });
  }

  private async refuseAboveLimit(tx: Transaction, eventId: number, now: Date): Promise<void> {
    const [{ total } = { total: 0 }] = await tx.rows<{ total: number }>(MESSAGES_OF_DAY, [eventId, pragueDay(now)]);
    if (total >= per_day) throw new Refusal('daily_message_limit', { retryAfter: secondsUntilPragueMidnight(now) });
  }
}

/** Whether the time for messages of an event has passed (MSG-3). */
export function isTooLateForMessage(overAt: Date, now: Date): boolean {
  return now.getTime() > overAt.getTime() + after_end * 1000;
}

function statesOf(to: MessageAudience): readonly MessagedState[] {
  return to === 'all' ? MESSAGED_STATES : [to];
}

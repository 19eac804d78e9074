import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { IS_RECIPIENT } from './message.query';

/** Reads messages for other areas. */
@Injectable()
export class MessagesReader {
  /**
   * Whether the message was sent to the user. False while a moderator has removed the message, or while its event is
   * hidden.
   */
  async wasSentTo(database: Queryable, messageId: number, userId: number): Promise<boolean> {
    return (await database.rows(IS_RECIPIENT, [messageId, userId])).length > 0;
  }
}

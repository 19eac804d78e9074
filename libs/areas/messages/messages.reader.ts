import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { IS_RECIPIENT } from './message.query';

/** Reads messages for other areas. */
@Injectable()
export class MessagesReader {
  /** Whether the user got the message. False while the message is removed or its event is hidden. */
  async wasSentTo(on: Queryable, messageId: number, userId: number): Promise<boolean> {
    return (await on.rows(IS_RECIPIENT, [messageId, userId])).length > 0;
  }
}

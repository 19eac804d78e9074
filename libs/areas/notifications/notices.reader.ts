import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { UNREAD_NOTICES } from './notice.query';

/** Questions about notices that others may ask. */
@Injectable()
export class NoticesReader {
  /** How many of the user's notices are not read yet. */
  async unread(on: Queryable, userId: number): Promise<number> {
    const [row] = await on.rows<{ unread: number }>(UNREAD_NOTICES, [userId]);
    return row?.unread ?? 0;
  }
}

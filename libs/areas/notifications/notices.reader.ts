import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { NOTICE_SUBJECTS, UNREAD_NOTICES, UNREAD_NOTICES_ABOUT, type NoticeSubject } from './notice.query';

/** The thing that notices are about. */
export interface NoticeAbout {
  readonly type: NoticeSubject | 'post';
  readonly id: number;
}

/** Reads of notices for other areas. */
@Injectable()
export class NoticesReader {
  /** The number of the user's unread notices about such subjects. */
  async unread(on: Queryable, userId: number, subjects: readonly NoticeSubject[] = NOTICE_SUBJECTS): Promise<number> {
    const [row] = await on.rows<{ unread: number }>(UNREAD_NOTICES, [userId, subjects]);
    return row?.unread ?? 0;
  }

  /** The same, and how many of them are about one thing. */
  async unreadAbout(
    on: Queryable,
    userId: number,
    { type, id }: NoticeAbout,
  ): Promise<{ readonly unread: number; readonly ofSubject: number }> {
    const [row] = await on.rows<{ unread: number; of_subject: number }>(UNREAD_NOTICES_ABOUT, [userId, type, id]);
    return { unread: row?.unread ?? 0, ofSubject: row?.of_subject ?? 0 };
  }
}

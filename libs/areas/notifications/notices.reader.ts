import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import {
  NOTICE_SUBJECTS,
  LINK_OF_NOTICE,
  NOTICES_BY_IDS,
  UNREAD_NOTICES,
  UNREAD_NOTICES_ABOUT,
  type NoticeRow,
  type NoticeSubject,
} from './notice.query';
import { noticeResource, type NoticeResource } from './notice.resource';
import type { NoticeRecipient } from './notice-words';

/** The object, or all objects of a type, that notices are about. */
export interface NoticeAbout {
  readonly type: NoticeSubject | 'post';
  /** The id of the object; null means all objects of this type. */
  readonly id: number | null;
}

/** Reads notices for other areas. */
@Injectable()
export class NoticesReader {
  constructor(private readonly wire: WireFormat) {}

  /** The caller's notices with these ids, in the language of `recipient`. The keys of the map are the ids. */
  async byIds(
    database: Queryable,
    { id: userId, token: { scopes } }: Caller,
    noticeIds: readonly number[],
    recipient: NoticeRecipient,
  ): Promise<Map<number, NoticeResource>> {
    const rows = await database.rows<NoticeRow>(NOTICES_BY_IDS, [userId, noticeIds]);
    return new Map(rows.map((row) => [Number(row.id), noticeResource(row, recipient, scopes, this.wire)]));
  }

  /**
   * The link in the user's notices about the decision. If several of them contain a link, the earliest notice is used.
   * Undefined if none contains a link.
   */
  async linkAboutDecision(database: Queryable, userId: number, decisionId: number): Promise<string | undefined> {
    const [row] = await database.rows<{ link: string }>(LINK_OF_NOTICE, [userId, decisionId]);
    return row?.link;
  }

  /** The number of the user's unread notices about subjects of these types. */
  async unread(
    database: Queryable,
    userId: number,
    subjects: readonly NoticeSubject[] = NOTICE_SUBJECTS,
  ): Promise<number> {
    const [row] = await database.rows<{ unread: number }>(UNREAD_NOTICES, [userId, subjects]);
    return row?.unread ?? 0;
  }

  /** The number of all unread notices of the user, and the number of those about the given object or type. */
  async unreadAbout(
    database: Queryable,
    userId: number,
    { type, id }: NoticeAbout,
  ): Promise<{ readonly unread: number; readonly ofSubject: number }> {
    const [row] = await database.rows<{ unread: number; of_subject: number }>(UNREAD_NOTICES_ABOUT, [userId, type, id]);
    return { unread: row?.unread ?? 0, ofSubject: row?.of_subject ?? 0 };
  }
}

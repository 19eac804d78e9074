import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, statement } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { storedLocale } from '#platform/messages/locale';
import { pagePathOf, type NoticeTarget } from './notice-places';
import { noticeWords, type NoticeWords } from './notice-words';
import { NOTICE_TEXT_COLUMNS } from './notice.query';
import type { NoticeKind } from './notice.texts';

export { NOTICE_KINDS } from './notice.texts';

/** A notice as a short message, in the language of the notice's reader. */
export interface NoticeMessage {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly body: string;
  /** The address of the web page of the object that the notice is about. */
  readonly url: string;
  /** The notice's id. */
  readonly tag: string;
  /** The time until which the message is useful. */
  readonly until: Date;
}

interface MessageRow extends NoticeWords, NoticeTarget {
  readonly id: string;
  readonly locale: string;
  readonly timezone: string;
  readonly created_at: Date;
}

const SELECT_MESSAGE = statement(
  'notifications_message',
  `SELECT n.id, ${NOTICE_TEXT_COLUMNS}, n.subject_type, coalesce(n.subject_id, n.event_id) AS subject_id, n.event_id, n.created_at, u.locale, u.timezone
     FROM notifications n JOIN users u ON u.id = n.user_id LEFT JOIN users p ON p.id = n.person_id WHERE n.id = $1`,
);

/** Notices as short messages, for example for push. */
@Injectable()
export class NoticeMessagesReader {
  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  /** Returns null if the notice was deleted. */
  async messageOf(id: number): Promise<NoticeMessage | null> {
    const [row] = await this.database.rows<MessageRow>(SELECT_MESSAGE, [id]);
    if (!row) return null;
    const { subject, text } = noticeWords(row, {
      locale: storedLocale(row.locale),
      timezone: row.timezone,
      hasLinks: true,
    });
    return {
      kind: row.kind,
      title: subject,
      body: text,
      url: this.wire.page(pagePathOf(row, this.wire)),
      tag: this.wire.id('notice', row.id),
      until: usefulUntil(row),
    };
  }
}

/**
 * A reminder is useful until the start of the event. A notice with `words.until` is useful until that time. Any other
 * notice is useful for one day.
 */
function usefulUntil({ kind, event_starts_at, words, created_at }: MessageRow): Date {
  if (kind === 'reminder' && event_starts_at) return event_starts_at;
  if (words.until !== undefined) return new Date(words.until);
  return new Date(created_at.getTime() + LIMITS.notices.pushed * 1000);
}

import { Injectable } from '@nestjs/common';
import type { MailAttachment } from '#platform/mail/mailbox';
import type { NoticeTarget } from './notice-places';
import type { NoticeKind } from './notice.texts';

/** Returns the current calendar file of an event; null for a hidden event. */
export type CalendarFile = (eventId: number) => Promise<MailAttachment | null>;

const WITH_CALENDAR: ReadonlySet<NoticeKind> = new Set(['event_changed', 'series_changed']);

/**
 * Files in the mails of notices (NOTE-13). The code of the web pages creates calendar files, and registers its function
 * here. While no function is registered, the mails have no files.
 */
@Injectable()
export class NoticeAttachments {
  private calendarFile: CalendarFile | null = null;

  register(calendarFile: CalendarFile): void {
    this.calendarFile = calendarFile;
  }

  async filesOf({ kind, event_id }: NoticeTarget): Promise<readonly MailAttachment[]> {
    if (!this.calendarFile || event_id === null || !WITH_CALENDAR.has(kind)) return [];
    const file = await this.calendarFile(Number(event_id));
    return file ? [file] : [];
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CalendarsReader } from '#areas/calendars/calendars.reader';
import { NoticeAttachments } from '#areas/notifications/notice-attachments';
import type { MailAttachment } from '#platform/mail/mailbox';
import { icalendarOf } from './icalendar';

/**
 * Creates the calendar files that are attached to mails about a changed event or series (NOTE-13). The entry of the
 * event in the file is the same as in the calendars to which people subscribe.
 */
@Injectable()
export class CalendarAttachments implements OnModuleInit {
  constructor(
    private readonly calendars: CalendarsReader,
    private readonly attachments: NoticeAttachments,
  ) {}

  onModuleInit(): void {
    this.attachments.register((eventId) => this.fileOf(eventId));
  }

  private async fileOf(eventId: number): Promise<MailAttachment | null> {
    const entries = await this.calendars.entriesOfEvent(eventId);
    const [entry] = entries;
    if (!entry) return null;
    return {
      name: 'event.ics',
      type: 'text/calendar; charset=utf-8; method=PUBLISH',
      content: icalendarOf({ name: entry.title, entries }),
    };
  }
}

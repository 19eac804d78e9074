import { Module } from '@nestjs/common';
import { CollectEventChanges, WriteSeriesChanged } from './event-changes';
import { EventChangesJob } from './event-changes.job';
import { NotifyOfMembership } from './group-membership.reaction';
import { MailChoicesCommands } from './mail-choices.commands';
import { NoticeAttachments } from './notice-attachments';
import { NoticeMailSource } from './notice-mail.source';
import { NoticeMessagesReader } from './notice-messages.reader';
import { NoticesController } from './notices.controller';
import { NoticesReader } from './notices.reader';
import { NoticesService } from './notices.service';
import { NoticesSweepJob } from './notices-sweep.job';
import { NotificationsCommands } from './notifications.commands';
import { RemindersJob } from './reminders.job';

@Module({
  controllers: [NoticesController],
  providers: [
    CollectEventChanges,
    EventChangesJob,
    MailChoicesCommands,
    NoticeMailSource,
    NoticeMessagesReader,
    NoticesReader,
    NoticesService,
    NoticesSweepJob,
    NoticeAttachments,
    NotificationsCommands,
    RemindersJob,
    NotifyOfMembership,
    WriteSeriesChanged,
  ],
  exports: [
    EventChangesJob,
    MailChoicesCommands,
    NoticeAttachments,
    NoticeMessagesReader,
    NoticesReader,
    NoticesService,
    NoticesSweepJob,
    NotificationsCommands,
    RemindersJob,
  ],
})
export class NotificationsModule {}

import { Module } from '@nestjs/common';
import { MailChoicesCommands } from './mail-choices.commands';
import { NoticeMailSource } from './notice-mail.source';
import { NoticesController } from './notices.controller';
import { NoticesReader } from './notices.reader';
import { NoticesService } from './notices.service';
import { NoticesSweepJob } from './notices-sweep.job';
import { NotificationsCommands } from './notifications.commands';

@Module({
  controllers: [NoticesController],
  providers: [
    MailChoicesCommands,
    NoticeMailSource,
    NoticesReader,
    NoticesService,
    NoticesSweepJob,
    NotificationsCommands,
  ],
  exports: [MailChoicesCommands, NoticesReader, NoticesService, NoticesSweepJob, NotificationsCommands],
})
export class NotificationsModule {}

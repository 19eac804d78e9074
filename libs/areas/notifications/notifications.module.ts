import { Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery';
import { NoticesController } from './notices.controller';
import { NoticesReader } from './notices.reader';
import { NoticesService } from './notices.service';
import { NoticesSweepJob } from './notices-sweep.job';
import { NotificationsCommands } from './notifications.commands';

@Module({
  controllers: [NoticesController],
  providers: [MailDelivery, NoticesReader, NoticesService, NoticesSweepJob, NotificationsCommands],
  exports: [MailDelivery, NoticesReader, NoticesService, NoticesSweepJob, NotificationsCommands],
})
export class NotificationsModule {}

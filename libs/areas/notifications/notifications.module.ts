import { Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery';
import { NotificationsCommands } from './notifications.commands';

@Module({ providers: [MailDelivery, NotificationsCommands], exports: [MailDelivery, NotificationsCommands] })
export class NotificationsModule {}

import { Module } from '@nestjs/common';
import { NotificationsCommands } from './notifications.commands';

@Module({ providers: [NotificationsCommands], exports: [NotificationsCommands] })
export class NotificationsModule {}

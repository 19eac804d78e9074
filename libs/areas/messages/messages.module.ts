import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { ParticipationModule } from '../participation/participation.module';
import { MessagesController } from './messages.controller';
import { MessagesReader } from './messages.reader';
import { MessagesService } from './messages.service';

@Module({
  imports: [EventsModule, NotificationsModule, ParticipationModule],
  controllers: [MessagesController],
  providers: [MessagesReader, MessagesService],
  exports: [MessagesReader, MessagesService],
})
export class MessagesModule {}

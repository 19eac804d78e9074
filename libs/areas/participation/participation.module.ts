import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { EventForViewerReader } from './event-for-viewer.reader';
import { ParticipationCommands } from './participation.commands';
import { ParticipationReader } from './participation.reader';
import { RelatedEventsController } from './related-events.controller';

@Module({
  imports: [EventsModule],
  controllers: [RelatedEventsController],
  providers: [EventForViewerReader, ParticipationCommands, ParticipationReader],
  exports: [EventForViewerReader, ParticipationCommands, ParticipationReader],
})
export class ParticipationModule {}

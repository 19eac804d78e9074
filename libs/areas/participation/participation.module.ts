import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { EventForViewerReader } from './event-for-viewer.reader';
import { RelatedEventsController } from './related-events.controller';

@Module({
  imports: [EventsModule],
  controllers: [RelatedEventsController],
  providers: [EventForViewerReader],
  exports: [EventForViewerReader],
})
export class ParticipationModule {}

import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ItineraryController } from './itinerary.controller';
import { ItineraryReader } from './itinerary.reader';
import { ItineraryService } from './itinerary.service';

@Module({
  imports: [EventsModule],
  controllers: [ItineraryController],
  providers: [ItineraryReader, ItineraryService],
  exports: [ItineraryReader],
})
export class ItineraryModule {}

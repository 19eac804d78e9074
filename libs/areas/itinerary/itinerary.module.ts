import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { ItineraryController } from './itinerary.controller';
import { Itinerary } from './itinerary.entity';
import { ItineraryReader } from './itinerary.reader';
import { ItineraryService } from './itinerary.service';

@Module({
  imports: [TypeOrmModule.forFeature([Itinerary]), EventsModule],
  controllers: [ItineraryController],
  providers: [ItineraryReader, ItineraryService],
  exports: [ItineraryReader, ItineraryService],
})
export class ItineraryModule {}

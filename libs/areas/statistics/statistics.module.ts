import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { StatisticsCommands } from './statistics.commands';
import { StatisticsController } from './statistics.controller';
import { StatisticsService } from './statistics.service';

@Module({
  imports: [EventsModule],
  controllers: [StatisticsController],
  providers: [StatisticsCommands, StatisticsService],
  exports: [StatisticsCommands, StatisticsService],
})
export class StatisticsModule {}

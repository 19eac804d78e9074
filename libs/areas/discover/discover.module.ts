import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ParticipationModule } from '../participation/participation.module';
import { DiscoverController } from './discover.controller';
import { DiscoverService } from './discover.service';
import { DiscoverTotals } from './discover.totals';
import { LiveEventsJob } from './live-events.job';

@Module({
  imports: [EventsModule, ParticipationModule],
  controllers: [DiscoverController],
  providers: [DiscoverService, DiscoverTotals, LiveEventsJob],
  exports: [LiveEventsJob],
})
export class DiscoverModule {}

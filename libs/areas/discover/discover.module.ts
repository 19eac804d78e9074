import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { ParticipationModule } from '../participation/participation.module';
import { DiscoverController } from './discover.controller';
import { DiscoverPages } from './discover.pages';
import { DiscoverReader } from './discover.reader';
import { DiscoverTotals } from './discover.totals';
import { LiveEventsJob } from './live-events.job';
import { RenderedEvents } from './rendered-events';

@Module({
  imports: [EventsModule, GroupsModule, ParticipationModule],
  controllers: [DiscoverController],
  providers: [DiscoverReader, DiscoverPages, DiscoverTotals, RenderedEvents, LiveEventsJob],
  exports: [DiscoverReader, LiveEventsJob],
})
export class DiscoverModule {}

import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ParticipationModule } from '../participation/participation.module';
import { DiscoverController } from './discover.controller';
import { DiscoverService } from './discover.service';

@Module({ imports: [EventsModule, ParticipationModule], controllers: [DiscoverController], providers: [DiscoverService] })
export class DiscoverModule {}

import { Module } from '@nestjs/common';
import { SignalsModule } from '#platform/signals/signals';
import { DiscoverModule } from './discover/discover.module';
import { EventsModule } from './events/events.module';
import { IdentityModule } from './identity/identity.module';
import { ParticipationModule } from './participation/participation.module';
import { REACTIONS } from './reactions';

/** All areas, low to high, for the server and the operator's command line. */
@Module({
  imports: [SignalsModule.forRoot(REACTIONS), IdentityModule, EventsModule, ParticipationModule, DiscoverModule],
})
export class AreasModule {}

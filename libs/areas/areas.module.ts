import { Module } from '@nestjs/common';
import { JobsModule } from '#platform/jobs/jobs.module';
import { SignalsModule } from '#platform/signals/signals';
import { ApplyModule } from './apply/apply.module';
import { DiscoverModule } from './discover/discover.module';
import { EventsModule } from './events/events.module';
import { IdentityModule } from './identity/identity.module';
import { ItineraryModule } from './itinerary/itinerary.module';
import { JOBS } from './jobs';
import { ParticipationModule } from './participation/participation.module';
import { QuotasModule } from './quotas/quotas.module';
import { REACTIONS } from './reactions';

/** Low to high. */
const AREAS = [IdentityModule, QuotasModule, EventsModule, ParticipationModule, DiscoverModule, ItineraryModule, ApplyModule];

/** All areas with their jobs and reactions, for the server and the operator's command line. */
@Module({
  imports: [SignalsModule.forRoot(REACTIONS), ...AREAS, JobsModule.forRoot({ imports: AREAS, jobs: JOBS })],
})
export class AreasModule {}

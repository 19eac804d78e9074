import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { EventsModule } from '../events/events.module';
import { IdentityModule } from '../identity/identity.module';
import { ParticipationModule } from '../participation/participation.module';
import { ApplyCommands } from './apply.commands';
import { ApplyEvents } from './apply-events';
import { ApplyUsers } from './apply-users';

@Module({
  imports: [IdentityModule, CreditsModule, EventsModule, ParticipationModule],
  providers: [ApplyCommands, ApplyEvents, ApplyUsers],
  exports: [ApplyCommands],
})
export class ApplyModule {}

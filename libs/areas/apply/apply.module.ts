import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { ParticipationModule } from '../participation/participation.module';
import { PulsModule } from '../puls/puls.module';
import { ApplyAvatars } from './apply-avatars';
import { ApplyCommands } from './apply.commands';
import { ApplyEvents } from './apply-events';
import { ApplyPuls } from './apply-puls';
import { ApplyUsers } from './apply-users';

@Module({
  imports: [IdentityModule, CreditsModule, EventsModule, GroupsModule, ParticipationModule, PulsModule],
  providers: [ApplyCommands, ApplyAvatars, ApplyUsers, ApplyEvents, ApplyPuls],
  exports: [ApplyCommands],
})
export class ApplyModule {}

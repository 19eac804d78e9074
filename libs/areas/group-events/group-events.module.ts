import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { ParticipationModule } from '../participation/participation.module';
import { GroupEventsController } from './group-events.controller';
import { GroupEventsReader } from './group-events.reader';
import { GroupEventsService } from './group-events.service';
import { InterestService } from './interest.service';
import { InviteGroupMembers } from './invite-group-members.reaction';
import { ReleaseGroupEvents } from './release-group-events.reaction';

@Module({
  imports: [EventsModule, GroupsModule, ParticipationModule],
  controllers: [GroupEventsController],
  providers: [GroupEventsReader, GroupEventsService, InterestService, InviteGroupMembers, ReleaseGroupEvents],
  exports: [GroupEventsReader, GroupEventsService, InterestService],
})
export class GroupEventsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { DiscoverGroups } from './nearby/discover-groups';
import { GroupAccessPolicy } from './group-access.policy';
import { Group } from './group.entity';
import { GroupMember } from './members/group-member.entity';
import { GroupPicturesCommands } from './pictures/group-pictures.commands';
import { GroupPicturesController } from './pictures/group-pictures.controller';
import { GroupPicturesService } from './group-pictures.service';
import { GroupsCommands } from './groups.commands';
import { GroupsController } from './groups.controller';
import { GroupsReader } from './groups.reader';
import { GroupsService } from './groups.service';
import { MembershipController } from './members/membership.controller';
import { MembershipService } from './membership.service';
import { MembershipsCommands } from './memberships.commands';

@Module({
  imports: [TypeOrmModule.forFeature([Group, GroupMember]), IdentityModule],
  controllers: [GroupsController, MembershipController, GroupPicturesController],
  providers: [
    DiscoverGroups,
    GroupAccessPolicy,
    GroupPicturesCommands,
    GroupPicturesService,
    GroupsCommands,
    GroupsReader,
    GroupsService,
    MembershipService,
    MembershipsCommands,
  ],
  exports: [
    GroupAccessPolicy,
    GroupPicturesService,
    GroupsCommands,
    GroupsReader,
    GroupsService,
    MembershipService,
    MembershipsCommands,
  ],
})
export class GroupsModule {}

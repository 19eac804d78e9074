import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { ParticipationModule } from '../participation/participation.module';
import { PostsModule } from '../posts/posts.module';
import { PeopleReader } from './people.reader';
import { SearchRate } from './search-rate';
import { UsersController } from './users.controller';

@Module({
  imports: [IdentityModule, EventsModule, GroupsModule, ParticipationModule, PostsModule],
  controllers: [UsersController],
  providers: [PeopleReader, SearchRate],
  exports: [PeopleReader, SearchRate],
})
export class PeopleModule {}

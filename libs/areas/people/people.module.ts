import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module';
import { EventsModule } from '../events/events.module';
import { GalleryModule } from '../gallery/gallery.module';
import { GroupsModule } from '../groups/groups.module';
import { IdentityModule } from '../identity/identity.module';
import { ParticipationModule } from '../participation/participation.module';
import { PostsModule } from '../posts/posts.module';
import { PeopleReader } from './people.reader';
import { SearchesCommands } from './searches.commands';
import { UsersController } from './users.controller';

@Module({
  imports: [
    IdentityModule,
    EventsModule,
    GroupsModule,
    ParticipationModule,
    PostsModule,
    CommentsModule,
    GalleryModule,
  ],
  controllers: [UsersController],
  providers: [PeopleReader, SearchesCommands],
  exports: [PeopleReader, SearchesCommands],
})
export class PeopleModule {}

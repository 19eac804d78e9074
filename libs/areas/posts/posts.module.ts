import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { DiscoverPostsController } from './discover-posts.controller';
import { PostAccessPolicy } from './post-access.policy';
import { PostCoverService } from './post-cover.service';
import { Post } from './post.entity';
import { PostsCommands } from './posts.commands';
import { PostsController } from './posts.controller';
import { PostsReader } from './posts.reader';
import { PostsService } from './posts.service';
import { ReleaseEventPosts } from './release-event-posts.reaction';

@Module({
  imports: [TypeOrmModule.forFeature([Post]), EventsModule],
  controllers: [DiscoverPostsController, PostsController],
  providers: [PostAccessPolicy, PostCoverService, PostsCommands, PostsReader, PostsService, ReleaseEventPosts],
  exports: [PostAccessPolicy, PostCoverService, PostsReader, PostsService],
})
export class PostsModule {}

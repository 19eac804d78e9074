import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { PostsModule } from '../posts/posts.module';
import { CommentRate } from './comment-rate';
import { CommentsCommands } from './comments.commands';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { DeleteEventComments, DeletePostComments } from './delete-comments.reaction';
import { NewCommentsService } from './new-comments.service';
import { Subjects } from './subjects';

@Module({
  imports: [EventsModule, PostsModule],
  controllers: [CommentsController],
  providers: [CommentRate, CommentsCommands, CommentsService, DeleteEventComments, DeletePostComments, NewCommentsService, Subjects],
})
export class CommentsModule {}

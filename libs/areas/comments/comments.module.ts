import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { PostsModule } from '../posts/posts.module';
import { Comment } from './comment.entity';
import { CommentRate } from './comment-rate';
import { CommentsCommands } from './comments.commands';
import { CommentsController } from './comments.controller';
import { CommentsReader } from './comments.reader';
import { CommentsService } from './comments.service';
import { DeleteEventComments, DeletePostComments } from './delete-comments.reaction';
import { NewCommentsService } from './new-comments.service';
import { Subjects } from './subjects';

@Module({
  imports: [TypeOrmModule.forFeature([Comment]), EventsModule, NotificationsModule, PostsModule],
  controllers: [CommentsController],
  providers: [
    CommentRate,
    CommentsCommands,
    CommentsReader,
    CommentsService,
    DeleteEventComments,
    DeletePostComments,
    NewCommentsService,
    Subjects,
  ],
  exports: [CommentsCommands, CommentsReader, CommentsService, NewCommentsService],
})
export class CommentsModule {}

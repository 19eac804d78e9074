import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { EventDeleted } from '../events/event.signal';
import type { PostDeleted } from '../posts/post.signal';
import { CommentsCommands } from './comments.commands';

/** Deletes the comments of an event with their images. The foreign key alone would not delete the images. */
@Injectable()
export class DeleteEventComments implements Reaction<EventDeleted> {
  constructor(private readonly comments: CommentsCommands) {}

  async react(tx: Transaction, { eventId }: EventDeleted): Promise<void> {
    await this.comments.removeCommentsOf(tx, { kind: 'event', id: eventId });
  }
}

/** Deletes the comments of a post with their images. */
@Injectable()
export class DeletePostComments implements Reaction<PostDeleted> {
  constructor(private readonly comments: CommentsCommands) {}

  async react(tx: Transaction, { postId }: PostDeleted): Promise<void> {
    await this.comments.removeCommentsOf(tx, { kind: 'post', id: postId });
  }
}

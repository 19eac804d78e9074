import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, CommentIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { UploadBody } from '#platform/uploads/upload-body';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { NEW_COMMENT, type CreateCommentDto } from './comment.dto';
import { CommentResource } from './comment.resource';
import { CommentsService } from './comments.service';
import { NewCommentsService } from './new-comments.service';

/** The API of comments (docs/rules/comments.md). */
@ApiTags('Comments')
@Controller()
export class CommentsController {
  constructor(
    private readonly comments: CommentsService,
    private readonly newComments: NewCommentsService,
  ) {}

  /**
   * Lists the comments on an event. For everybody who sees the event. `per_page` and `total` count threads; the newest
   * thread comes first. Each thread has all its replies, oldest first.
   */
  @Get('events/:id/comments')
  @AnswersPage(CommentResource)
  async listEventComments(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<CommentResource>> {
    return this.comments.list(caller, { kind: 'event', id }, input);
  }

  /**
   * Writes a comment on an event. For the organizer and confirmed participants; other people who see the event get 403
   * `comment_forbidden`. A text, a picture (in a multipart form) or both are required. A reply to a reply is added to
   * the same thread. Only the newest 100 threads of an event are stored. At most 10 comments a minute; above that 429
   * `rate_limited`.
   */
  @Post('events/:id/comments')
  @Answers(CommentResource, { status: 201 })
  @Refuses('comment_forbidden', 'parent_invalid', 'rate_limited')
  async commentOnEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @UploadBody(NEW_COMMENT) upload: PendingUpload<CreateCommentDto>,
  ): Promise<One<CommentResource>> {
    return one(await this.newComments.addComment(caller, { kind: 'event', id }, upload));
  }

  /**
   * Lists the comments on a post. For everybody who sees the post. `per_page` and `total` count threads; the newest
   * thread comes first. Each thread has all its replies, oldest first.
   */
  @Get('posts/:slug/comments')
  @AnswersPage(CommentResource)
  async listPostComments(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<CommentResource>> {
    return this.comments.list(caller, { kind: 'post', slug }, input);
  }

  /**
   * Writes a comment on a published post. For everybody; a comment on your own draft is refused with 403
   * `comment_forbidden`. A text, a picture (in a multipart form) or both are required. A reply to a reply is added to
   * the same thread. At most 10 comments a minute; above that 429 `rate_limited`.
   */
  @Post('posts/:slug/comments')
  @Answers(CommentResource, { status: 201 })
  @Refuses('comment_forbidden', 'parent_invalid', 'rate_limited')
  async commentOnPost(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @UploadBody(NEW_COMMENT) upload: PendingUpload<CreateCommentDto>,
  ): Promise<One<CommentResource>> {
    return one(await this.newComments.addComment(caller, { kind: 'post', slug }, upload));
  }

  /** Deletes a comment. For its author, moderators and admins. The root of a thread is deleted with all its replies. */
  @Delete('comments/:id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteComment(@CurrentCaller() caller: Caller, @Param('id', CommentIdPipe) id: number): Promise<void> {
    await this.comments.removeComment(caller, id);
  }
}

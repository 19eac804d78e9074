import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, idPipe } from '#platform/http/public-ids';
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

/** docs/rules/comments.md. */
@ApiTags('Comments')
@Controller()
export class CommentsController {
  constructor(
    private readonly comments: CommentsService,
    private readonly newComments: NewCommentsService,
  ) {}

  /** Threads newest first, each with all its replies, oldest first; for everyone who sees the event. */
  @Get('events/:id/comments')
  @AnswersPage(CommentResource)
  async listEventComments(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<CommentResource>> {
    return this.comments.list(caller, { kind: 'event', id }, input);
  }

  /** The organizer and confirmed participants write; the newest 100 threads stay. */
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

  /** As those of an event; for everyone who sees the post. */
  @Get('posts/:slug/comments')
  @AnswersPage(CommentResource)
  async listPostComments(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<CommentResource>> {
    return this.comments.list(caller, { kind: 'post', slug }, input);
  }

  /** Everybody writes on a published post, nobody on a draft. */
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

  /** Its author, a moderator or an admin; a root goes with its replies. */
  @Delete('comments/:id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteComment(@CurrentCaller() caller: Caller, @Param('id', idPipe('comment')) id: number): Promise<void> {
    await this.comments.removeComment(caller, id);
  }
}

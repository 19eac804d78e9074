import { Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateCommentDto } from '#areas/comments/comment.dto';
import { CommentsService } from '#areas/comments/comments.service';
import { NewCommentsService } from '#areas/comments/new-comments.service';
import type { NamedSubject } from '#areas/comments/subject';
import { LIMITS } from '#contract/limits';
import { EventIdPipe, CommentIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import type { FormRefusal } from '../form/form-refusal';
import { SentForm } from '../form/sent-form';
import type { FormValues } from '../forms';
import { localPath } from '../local-path';
import { ActingPageController, CheckForm, CurrentMember, FormFields, type Member } from '../page.decorators';
import { EventView } from '../public/event-view';
import { listPagesIn } from '../listing';
import { PostView } from '../public/post-view';
import { redirectTo, type Redirect } from '../redirect';
import type { View } from '../view';
import { COMMENT_FORM } from './talk';

const FILES = { image: { maxBytes: LIMITS.comments.image_bytes } };

interface MemberRequest {
  readonly member: Member;
  readonly request: FastifyRequest;
}

/** The forms of comments on the pages of events and posts. */
@ActingPageController()
export class CommentPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly comments: CommentsService,
    private readonly newComments: NewCommentsService,
    private readonly events: EventView,
    private readonly posts: PostView,
    private readonly wire: WireFormat,
  ) {}

  @Post('events/:id/comments')
  @CheckForm({ files: FILES })
  onEvent(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const id = this.wire.id('event', eventId);
    return this.add({ member, request }, { kind: 'event', id: eventId }, `/events/${id}`, (comment) =>
      this.events.show(id, member, { comment }, listPagesIn(request.query)),
    );
  }

  @Post('posts/:slug/comments')
  @CheckForm({ files: FILES })
  onPost(
    @CurrentMember() member: Member,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.add({ member, request }, { kind: 'post', slug }, `/posts/${encodeURIComponent(slug)}`, (refusal) =>
      this.posts.show(slug, member, refusal, listPagesIn(request.query)),
    );
  }

  /**
   * `next`: the path of the page that contained the comment. After the deletion, the browser is redirected to this
   * path, or to `/` if the path is missing or is not on this site.
   */
  @Post('comments/:id/delete')
  @CheckForm()
  async remove(
    @CurrentMember() { caller }: Member,
    @Param('id', CommentIdPipe) commentId: number,
    @FormFields() { next }: FormValues,
  ): Promise<Redirect> {
    await this.comments.removeComment(caller, commentId);
    const page = localPath(next);
    return redirectTo(page === null ? '/' : `${page.split('#', 1)[0]}#comments`, 'comment_deleted');
  }

  private add(
    { member, request }: MemberRequest,
    subject: NamedSubject,
    page: string,
    show: (refusal: FormRefusal) => Promise<View>,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, _, pictureOf) => {
        const form = await SentForm.ofSent(COMMENT_FORM, CreateCommentDto, raw, member);
        await this.newComments.addWithImage(member.caller, subject, form, pictureOf('image')?.key ?? null);
        // A new thread is on the first page of comments, and a reply is on the page of its thread.
        const { comments } = listPagesIn(request.query);
        const isReplyOnLaterPage = Boolean(raw['parent']?.[0]) && comments > 1;
        return redirectTo(`${page}${isReplyOnLaterPage ? `?comments=${comments}` : ''}#comments`, 'comment_added');
      },
      permit: () => this.newComments.admit(member.caller, subject),
      show,
    });
  }
}

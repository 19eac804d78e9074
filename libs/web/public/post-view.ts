import { Injectable } from '@nestjs/common';
import { PostAccessPolicy } from '#areas/posts/post-access.policy';
import { PostsReader } from '#areas/posts/posts.reader';
import { Database } from '#platform/database/database';
import { textOfHtml } from '#platform/text/html';
import type { FormRefusal } from '../form/form-refusal';
import { localDay } from '../local-time';
import type { Reader } from '../readers';
import { commentFormsOf } from '../talk/talk';
import { ATOM_TYPE, imageOf, view, type Social, type View } from '../view';
import { excerptOf } from './excerpt';
import { RelatedContent } from './related-content';
import { headingsBelow } from './headings';
import { FIRST_PAGES, neighboursOfList, type ListPages } from '../listing';
import { VisibleEvents } from './visible-events';

/** The page of a post. */
@Injectable()
export class PostView {
  constructor(
    private readonly database: Database,
    private readonly access: PostAccessPolicy,
    private readonly posts: PostsReader,
    private readonly events: VisibleEvents,
    private readonly related: RelatedContent,
  ) {}

  /** Throws 404 if the reader may not see the post. `refusal`: the refusal of the comment form, if it was refused. */
  async show(
    slug: string,
    reader: Reader,
    refusal: FormRefusal | null = null,
    pages: ListPages = FIRST_PAGES,
  ): Promise<View> {
    const { postId } = await this.access.visible(this.database, slug, reader.caller.id);
    const post = await this.posts.show(this.database, reader.caller, postId);
    const social: Social = {
      title: post.title,
      type: 'article',
      url: post.url,
      description: excerptOf(post.excerpt ?? textOfHtml(post.body)),
      image: imageOf(post.cover_url),
    };
    const when = post.published_at === null ? null : localDay(reader, new Date(post.published_at));
    const [eventTitle, comments] = await Promise.all([
      this.events.title(post.event, reader),
      this.related.commentsOf({ kind: 'post', id: postId }, reader, pages.comments),
    ]);
    const alternates = [
      { type: ATOM_TYPE, href: this.related.feedOf(post.author.slug), title: post.author.name },
    ] as const;
    const mayWrite = reader.user !== null && post.viewer.can_comment;
    return view(
      'post',
      {
        title: post.title,
        section: 'posts',
        about: { type: 'post', id: postId },
        post,
        body: headingsBelow(post.body, 1),
        when,
        eventTitle,
        comments,
        commentPages: neighboursOfList(`/posts/${post.slug}`, pages, 'comments', comments),
        talk: commentFormsOf(`/posts/${post.slug}`, mayWrite, reader, refusal, when !== null),
        ...(when !== null && { social, alternates }),
      },
      refusal?.status,
    );
  }
}

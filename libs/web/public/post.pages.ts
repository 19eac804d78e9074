import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { PostAccessPolicy } from '#areas/posts/post-access.policy';
import { PostsReader } from '#areas/posts/posts.reader';
import { Database } from '#platform/database/database';
import { localDay } from '../local-time';
import { ATOM_TYPE, imageOf, Pages, type Social } from '../pages';
import { excerptOf, textOfHtml } from './excerpt';
import { Hangings } from './hangings';
import { headingsBelow } from './headings';
import { SeenEvents } from './seen-events';

/** /posts/{slug}: published ones for everybody, a draft for its author. */
@Injectable()
export class PostPages {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly access: PostAccessPolicy,
    private readonly posts: PostsReader,
    private readonly events: SeenEvents,
    private readonly hangings: Hangings,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { slug: string } }>('/posts/:slug', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const { postId } = await this.access.visible(this.database, request.params.slug, reader.caller.id);
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
          this.hangings.commentsOfPost(postId, reader),
        ]);
        const alternates = [
          { type: ATOM_TYPE, href: this.hangings.feedOf(post.author.slug), title: post.author.name },
        ] as const;
        return this.pages.show(reader, reply, 'post', {
          title: post.title,
          section: 'posts',
          about: { type: 'post', id: postId },
          post,
          body: headingsBelow(post.body, 1),
          when,
          eventTitle,
          comments,
          ...(when !== null && { social, alternates }),
        });
      }),
    );
  }
}

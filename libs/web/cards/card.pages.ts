import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PostAccessPolicy } from '#areas/posts/post-access.policy';
import { Database } from '#platform/database/database';
import { matchesIfNoneMatch } from '#platform/http/etags';
import { SlugPipe } from '#platform/http/slug.pipe';
import { CachedFile } from '../cached-file';
import { VisibleGroups } from '../groups/visible-groups';
import { CurrentReader, FileController, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import { VisibleEvents } from '../public/visible-events';
import { Readers, type Reader } from '../readers';
import { Cards } from './cards';
import { drawingOf } from './drawing';

/**
 * …/drawing.svg: the drawing that is shown if the event, group or post has no picture (PAGE-70). Only readers who may
 * see the object get the drawing.
 */
@PageController()
export class DrawingPages {
  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly visibleGroups: VisibleGroups,
    private readonly posts: PostAccessPolicy,
    private readonly database: Database,
  ) {}

  @Get('events/:id/drawing.svg')
  @ReadsReplica()
  async drawing(@CurrentReader() reader: Reader, @Param('id') id: string): Promise<CachedFile> {
    const { event } = await this.visibleEvents.event(id, reader);
    return svgFile(drawingOf(event.type, event.id));
  }

  @Get('groups/:id/drawing.svg')
  @ReadsReplica()
  async drawingOfGroup(@CurrentReader() reader: Reader, @Param('id') id: string): Promise<CachedFile> {
    const { group } = await this.visibleGroups.group(id, reader);
    return svgFile(drawingOf('group', group.id));
  }

  @Get('posts/:slug/drawing.svg')
  @ReadsReplica()
  async drawingOfPost(@CurrentReader() { caller }: Reader, @Param('slug', SlugPipe) slug: string): Promise<CachedFile> {
    const { postId } = await this.posts.visible(this.database, slug, caller.id);
    return svgFile(drawingOf('post', String(postId)));
  }
}

function svgFile(svg: string): CachedFile {
  return new CachedFile('image/svg+xml; charset=utf-8', svg, 'private');
}

/** /events/{id}/card.png: the picture that other sites show for a link to a public event (PAGE-71). */
@FileController()
export class CardPages {
  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly readers: Readers,
    private readonly cards: Cards,
  ) {}

  @Get('events/:id/card.png')
  async card(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query('locale') locale?: string,
  ): Promise<Buffer | undefined> {
    const { event } = await this.visibleEvents.event(id, this.readers.visitor(request));
    const language = locale === 'en' ? 'en' : 'cs';
    const etag = `"${this.cards.nameOf(event, language)}"`;
    reply.headers({ etag, 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' });
    if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) {
      reply.code(304);
      return undefined;
    }
    const png = await this.cards.cardOf(event, language);
    reply.type('image/png');
    return png;
  }
}

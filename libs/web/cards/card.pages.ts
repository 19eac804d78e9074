import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesIfNoneMatch } from '#platform/http/etags';
import { CachedFile } from '../cached-file';
import { CurrentReader, FileController, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import { VisibleEvents } from '../public/visible-events';
import { Readers, type Reader } from '../readers';
import { Cards } from './cards';
import { drawingOf } from './drawing';

/**
 * /events/{id}/drawing.svg: the drawing that is shown if the event has no picture (PAGE-70). Only readers who may see
 * the event get the drawing.
 */
@PageController()
export class DrawingPages {
  constructor(private readonly visibleEvents: VisibleEvents) {}

  @Get('events/:id/drawing.svg')
  @ReadsReplica()
  async drawing(@CurrentReader() reader: Reader, @Param('id') id: string): Promise<CachedFile> {
    const { event } = await this.visibleEvents.event(id, reader);
    return new CachedFile('image/svg+xml; charset=utf-8', drawingOf(event.type, event.id), 'private');
  }
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

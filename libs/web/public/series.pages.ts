import { Get, Param } from '@nestjs/common';
import { SeriesReader } from '#areas/series/series.reader';
import { SeriesIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentReader, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { CALENDAR_TYPE, view, type Social, type View } from '../view';
import { coverOf, drawingAddress } from './event-facts';
import { headingsBelow } from './headings';
import { RelatedContent } from './related-content';
import { seriesDates } from './series-dates';

/**
 * /series/{id}: the current and upcoming occurrences of a series, below the picture, the organizer and the description
 * of the first of these occurrences. A public series is visible to everyone, unless its organizer is banned. Any other
 * series is visible to its organizer, and to readers who may see at least one of these occurrences.
 */
@PageController()
export class SeriesPages {
  constructor(
    private readonly series: SeriesReader,
    private readonly related: RelatedContent,
    private readonly wire: WireFormat,
  ) {}

  @Get('series/:id')
  @ReadsReplica()
  async page(@CurrentReader() reader: Reader, @Param('id', SeriesIdPipe) id: number): Promise<View> {
    const [publicSeries, isOwn, { events, tiles }] = await Promise.all([
      this.series.publicSeries(id),
      reader.user !== null && this.series.isOwn(id, reader.user.id),
      this.related.occurrencesOf(id, reader),
    ]);
    const series = publicSeries ?? (isOwn && reader.user ? await this.series.own(reader.user.id, id) : null);
    const [next] = events;
    const title = series?.title ?? next?.title;
    if (title === undefined) throw new Refusal('not_found');
    const seriesId = this.wire.id('series', id);
    const url = this.wire.page(`/series/${seriesId}`);
    const social: Social = {
      title,
      type: 'website',
      url,
      description: `${title} · ${translator(reader.locale)('all_dates')}`,
      image: null,
    };
    return view('series', {
      title,
      ...seriesDates(tiles, title),
      next: next && {
        organizer: next.organizer,
        cover: coverOf(next),
        drawing: drawingAddress(next.id, this.wire),
        description: next.description && headingsBelow(next.description, 1),
      },
      seriesId,
      isOwn,
      hasEnded: events.length === 0 && series?.active === false,
      ...(publicSeries && {
        social,
        alternates: [{ type: CALENDAR_TYPE, href: `${url}/calendar.ics`, title }],
      }),
    });
  }
}

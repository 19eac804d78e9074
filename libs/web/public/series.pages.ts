import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { SeriesReader } from '#areas/series/series.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CALENDAR_TYPE, Pages, type Social } from '../pages';
import { translator } from '../texts';
import { Hangings } from './hangings';

/** /series/{id}: the dates to come, for everybody who sees one of them, and of a public series for everybody. */
@Injectable()
export class SeriesPages {
  constructor(
    private readonly pages: Pages,
    private readonly series: SeriesReader,
    private readonly hangings: Hangings,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { id: string } }>('/series/:id', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const id = this.wire.ids.decode('series', request.params.id);
        if (id === null) throw new Refusal('not_found');
        const [known, events] = await Promise.all([
          this.series.publicTitle(id),
          this.hangings.comingOf('series', id, reader),
        ]);
        const title = known ?? events[0]?.title;
        if (title === undefined) throw new Refusal('not_found');
        const url = this.wire.page(`/series/${request.params.id}`);
        const social: Social = {
          title,
          type: 'website',
          url,
          description: `${title} · ${translator(reader.locale)('all_dates')}`,
          image: null,
        };
        return this.pages.show(reader, reply, 'series', {
          title,
          wide: true,
          events,
          seriesId: request.params.id,
          ...(known !== null && { social, alternates: [{ type: CALENDAR_TYPE, href: `${url}/calendar.ics`, title }] }),
        });
      }),
    );
  }
}

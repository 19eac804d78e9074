import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CalendarsReader } from '#areas/calendars/calendars.reader';
import { ItineraryReader } from '#areas/itinerary/itinerary.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { answerCalendar } from '../calendars/calendar-answers';
import { Pages, type Social } from '../pages';
import type { Reader } from '../readers';
import { EventView } from './event-view';
import { excerptOf } from './excerpt';
import { SeenEvents } from './seen-events';

const CALENDAR = '.ics';

/** /events/{id}, its calendar entry and its public itinerary. */
@Injectable()
export class EventPages {
  constructor(
    private readonly pages: Pages,
    private readonly view: EventView,
    private readonly seen: SeenEvents,
    private readonly itineraries: ItineraryReader,
    private readonly calendars: CalendarsReader,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { id: string } }>('/events/:id', async (request, reply) => {
      const { id } = request.params;
      return this.pages.reading(request, async (reader) =>
        id.endsWith(CALENDAR)
          ? this.calendar(id.slice(0, -CALENDAR.length), reader, request, reply)
          : this.view.show(id, reader, reply),
      );
    });
    fastify.get<{ Params: { id: string } }>('/events/:id/itinerary', async (request, reply) =>
      this.pages.reading(request, (reader) => this.itinerary(request.params.id, reader, reply)),
    );
  }

  private async calendar(
    id: string,
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { eventId, event } = await this.seen.event(id, reader);
    reply.header('content-disposition', `attachment; filename="${event.id}.ics"`);
    return answerCalendar(request, reply, { name: event.title, entries: await this.calendars.one(eventId) }, 'private');
  }

  /** The page of a public plan is for everybody who has its address, as its `url` says; the event's name only for who may see the event. */
  private async itinerary(id: string, reader: Reader, reply: FastifyReply): Promise<FastifyReply> {
    const eventId = this.wire.ids.decode('event', id);
    const plan = eventId === null ? null : await this.itineraries.publicPlan(eventId);
    if (!plan?.url) throw new Refusal('not_found');
    const social: Social = {
      title: plan.title,
      type: 'website',
      url: plan.url,
      description: excerptOf(plan.description ?? plan.title),
      image: null,
    };
    const eventTitle = await this.seen.title(id, reader);
    return this.pages.show(reader, reply, 'itinerary', { title: plan.title, social, plan, eventId: id, eventTitle });
  }
}

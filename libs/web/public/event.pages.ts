import { Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CalendarsReader } from '#areas/calendars/calendars.reader';
import { ItineraryReader } from '#areas/itinerary/itinerary.reader';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { CachedFile } from '../cached-file';
import { calendarFile } from '../calendars/calendar-file';
import { CurrentReader, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { view, type Social, type View } from '../view';
import { EventView } from './event-view';
import { excerptOf } from './excerpt';
import { listPagesIn } from '../listing';
import { VisibleEvents } from './visible-events';

const CALENDAR_EXTENSION = '.ics';

/** The page of an event (/events/{id}), its calendar file (/events/{id}.ics) and the page of its public itinerary. */
@PageController()
export class EventPages {
  constructor(
    private readonly view: EventView,
    private readonly visibleEvents: VisibleEvents,
    private readonly itineraries: ItineraryReader,
    private readonly calendars: CalendarsReader,
    private readonly wire: WireFormat,
  ) {}

  @Get('events/:id')
  @ReadsReplica()
  event(
    @CurrentReader() reader: Reader,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | CachedFile> {
    return id.endsWith(CALENDAR_EXTENSION)
      ? this.calendar(id.slice(0, -CALENDAR_EXTENSION.length), reader, reply)
      : this.view.show(id, reader, {}, listPagesIn(query));
  }

  /**
   * A public itinerary is visible to everyone who has its address, even if the event is private, but not if moderators
   * have removed the event or banned its organizer. The title of the event is shown only to readers who may see the
   * event.
   */
  @Get('events/:id/itinerary')
  @ReadsReplica()
  async itinerary(@CurrentReader() reader: Reader, @Param('id') id: string): Promise<View> {
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
    const eventTitle = await this.visibleEvents.title(id, reader);
    return view('itinerary', { title: plan.title, social, plan, eventId: id, eventTitle });
  }

  private async calendar(id: string, reader: Reader, reply: FastifyReply): Promise<CachedFile> {
    const { eventId, event } = await this.visibleEvents.event(id, reader);
    reply.header('content-disposition', `attachment; filename="${event.id}.ics"`);
    return calendarFile({ name: event.title, entries: await this.calendars.entriesOfEvent(eventId) }, 'private');
  }
}

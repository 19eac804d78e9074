import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EventAccessPolicy } from '#areas/events/event-access.policy';
import { ItineraryReader } from '#areas/itinerary/itinerary.reader';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Wire } from '#platform/http/wire';
import { localTimes } from '../local-time';
import { Pages, type Social } from '../pages';
import type { Reader } from '../readers';
import { calendarOf } from './calendar';
import { excerptOf, textOfHtml } from './excerpt';

const CALENDAR = '.ics';

/** Events as this reader may see them. */
@Injectable()
export class SeenEvents {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly events: EventForViewerReader,
    private readonly wire: Wire,
  ) {}

  /** 404 for what does not exist and for what is not for this reader. */
  async event(hashid: string, { caller }: Reader): Promise<{ eventId: number; event: DiscoverEventResource }> {
    const eventId = this.wire.ids.decode('event', hashid);
    if (eventId === null) throw new Refusal('not_found');
    await this.access.visible(this.database, eventId, caller.id);
    return { eventId, event: await this.events.show(this.database, caller, eventId) };
  }

  /** The title, where the reader may know it. */
  async title(hashid: string | null, reader: Reader): Promise<string | null> {
    if (hashid === null) return null;
    try {
      return (await this.event(hashid, reader)).event.title;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }
}

/** /events/{id}, its calendar entry and its public itinerary. */
@Injectable()
export class EventPages {
  constructor(
    private readonly pages: Pages,
    private readonly seen: SeenEvents,
    private readonly itineraries: ItineraryReader,
    private readonly wire: Wire,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<{ Params: { id: string } }>('/events/:id', async (request, reply) => {
      const { id } = request.params;
      return id.endsWith(CALENDAR) ? this.calendar(id.slice(0, -CALENDAR.length), request, reply) : this.event(id, request, reply);
    });
    fastify.get<{ Params: { id: string } }>('/events/:id/itinerary', async (request, reply) => this.itinerary(request.params.id, request, reply));
  }

  private async event(id: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const { eventId, event } = await this.seen.event(id, reader);
    const when = localTimes(reader, new Date(event.starts_at), event.ends_at === null ? null : new Date(event.ends_at));
    const cover = event.images.find((image) => image.is_primary);
    const social: Social = {
      title: event.title, type: 'website', url: event.url, image: cover?.url ?? null,
      description: excerptOf([when, event.location_name, textOfHtml(event.description ?? '')].filter(Boolean).join(' · ')),
    };
    const hasPlan = (await this.itineraries.publicPlan(eventId)) !== null;
    return this.pages.show(reader, reply, 'event', { title: event.title, social, event, when, hasPlan });
  }

  private async calendar(id: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { event } = await this.seen.event(id, await this.pages.reader(request));
    const { latitude, longitude } = event;
    const file = calendarOf({
      uid: `${event.id}@${new URL(event.url).hostname}`,
      title: event.title,
      description: textOfHtml(event.description ?? ''),
      place: [event.location_name, event.location_address].filter(Boolean).join(', '),
      position: latitude === null || longitude === null ? null : { latitude, longitude },
      url: event.url,
      startsAt: new Date(event.starts_at),
      endsAt: event.ends_at === null ? null : new Date(event.ends_at),
      updatedAt: new Date(event.updated_at),
      cancelled: event.status === 'cancelled',
    });
    return reply.type('text/calendar; charset=utf-8').header('content-disposition', `attachment; filename="${event.id}.ics"`).send(file);
  }

  /** The page of a public plan is for everybody who has its address, as its `url` says; the event's name only for who may see the event. */
  private async itinerary(id: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const eventId = this.wire.ids.decode('event', id);
    const plan = eventId === null ? null : await this.itineraries.publicPlan(eventId);
    if (!plan?.url) throw new Refusal('not_found');
    const social: Social = { title: plan.title, type: 'website', url: plan.url, description: excerptOf(plan.description ?? plan.title), image: null };
    const eventTitle = await this.seen.title(id, reader);
    return this.pages.show(reader, reply, 'itinerary', { title: plan.title, social, plan, eventId: id, eventTitle });
  }
}

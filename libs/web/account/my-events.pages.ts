import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { CalendarAddresses } from '#areas/calendars/calendar-addresses';
import { EventsQueryDto } from '#areas/events/event.dto';
import type { EventResource } from '#areas/events/event.resource';
import { EventsReader } from '#areas/events/events.reader';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import { RELATIONS } from '#areas/participation/relations';
import { EVENT_RELATIONS, EVENT_SCOPES } from '#contract/vocabulary';
import { sliceOf, type Page } from '#platform/http/page';
import { Pages } from '../pages';
import { EventTiles } from '../public/event-tiles';
import { readListing } from '../public/listing';
import { ownForms } from '../session';
import { translator } from '../texts';
import { SignedIn, type Member } from './signed-in';

/** /account/events: the events of an account, with the parameters of GET /events (PAGE-35), and its secret calendar (PAGE-41). */
@Injectable()
export class MyEventsPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
    private readonly tiles: EventTiles,
    private readonly addresses: CalendarAddresses,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get(
      '/account/events',
      this.signedIn.only(async (member, reply, request) => {
        const { page, ...listing } = await readListing(request, member.locale, EventsQueryDto, (query) =>
          this.read(member, query),
        );
        return this.pages.show(
          member,
          reply,
          'my-events',
          {
            ...listing,
            calendar: (await this.addresses.addressOf(member.user.id)).url,
            renewed: 'renewed' in (request.query as object),
            title: translator(member.locale)('my_events'),
            tab: 'events',
            wide: true,
            tiles: page ? this.tiles.tilesOf(page.items, member) : [],
            relations: EVENT_RELATIONS,
            scopes: EVENT_SCOPES,
            relation: listing.values.relation ?? DEFAULTS.relation,
            scope: listing.values.scope ?? DEFAULTS.scope,
          },
          page ? 200 : 422,
        );
      }),
    );

    fastify.post(
      '/account/events/calendar/renew',
      ownForms(fastify),
      this.signedIn.only(async (member, reply) => {
        await this.addresses.renew(member.user.id);
        return this.pages.goTo(reply, '/account/events?renewed#calendar');
      }),
    );
  }

  private async read({ caller }: Member, query: EventsQueryDto): Promise<Page<EventResource>> {
    const { relation = DEFAULTS.relation, scope = DEFAULTS.scope } = query;
    if (relation === 'organizing') return this.events.organizedBy(caller.id, scope, sliceOf(query));
    return this.forViewer.related(caller, RELATIONS[relation].state, scope, sliceOf(query));
  }
}

/** Unlike the API's, the list begins with what one goes to next. */
const DEFAULTS = { relation: 'joined', scope: 'upcoming' } as const;

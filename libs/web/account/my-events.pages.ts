import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CalendarAddresses } from '#areas/calendars/calendar-addresses';
import { EventsQueryDto } from '#areas/events/event.dto';
import type { EventResource } from '#areas/events/event.resource';
import { EventsReader } from '#areas/events/events.reader';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import { RELATIONS } from '#areas/participation/relations';
import { LIMITS } from '#contract/limits';
import { EVENT_RELATIONS, EVENT_SCOPES } from '#contract/vocabulary';
import { sliceOf, type Page } from '#platform/http/page';
import { CheckForm, CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { EventTiles } from '../public/event-tiles';
import { withoutRelation } from '../public/tile';
import { newKey } from '../form/form-keys';
import { readListing } from '../listing';
import { localDeadline, localTime } from '../local-time';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';

/**
 * /account/events: the events to which the reader has the chosen relation, and the secret address of the reader's
 * calendar (PAGE-41). The page takes the parameters of GET /events (PAGE-35).
 */
@PageController()
@SignedInOnly()
export class MyEventsPages {
  constructor(
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
    private readonly tiles: EventTiles,
    private readonly addresses: CalendarAddresses,
  ) {}

  @Get('account/events')
  async list(
    @CurrentMember() member: Member,
    @Query() parameters: object,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, EventsQueryDto, (query) =>
      this.read(member, query),
    );
    const { relation = DEFAULTS.relation, scope = DEFAULTS.scope } = listing.values;
    const [offers, relations] = await Promise.all([this.offersTo(member), this.countedRelations(member)]);
    return view(
      'my-events',
      {
        ...listing,
        // The calendar contains the joined and the organized events.
        hasCalendar: relation === 'joined' || relation === 'organizing',
        calendar: (await this.addresses.addressOf(member.user.id)).url,
        renewed: 'renewed' in parameters,
        title: translator(member.locale)('my_events'),
        tab: 'events',
        wide: true,
        // All events of the list have the chosen relation to the member.
        tiles: page ? this.tiles.tilesOf(page.items, member).map(withoutRelation) : [],
        offers,
        relations,
        scopes: EVENT_SCOPES,
        relation,
        scope,
      },
      page ? 200 : 422,
    );
  }

  @Post('account/events/calendar/renew')
  @CheckForm()
  async renewCalendar(@CurrentMember() member: Member): Promise<Redirect> {
    await this.addresses.renew(member.user.id);
    return redirectTo('/account/events?renewed#calendar');
  }

  /** The events in which a seat is offered to the member, with the end of the offer. */
  private async offersTo(member: Member): Promise<object[]> {
    const slice = sliceOf({ per_page: LIMITS.pagination.per_page.max });
    const { items } = await this.forViewer.related(member.caller, 'waitlisted', 'upcoming', slice);
    return items.flatMap(({ id, title, starts_at, viewer: { offer } }) =>
      offer
        ? [
            {
              id,
              title,
              when: localTime(member, new Date(starts_at)),
              until: localDeadline(member, new Date(offer.expires_at)),
              key: newKey()[1],
            },
          ]
        : [],
    );
  }

  /** The relations with the number of the member's upcoming events. */
  private async countedRelations(member: Member): Promise<object[]> {
    return Promise.all(
      EVENT_RELATIONS.map(async (relation) => {
        const query = { relation, scope: 'upcoming', page: 1, per_page: 1 } as const;
        return { relation, count: (await this.read(member, query)).total };
      }),
    );
  }

  private async read({ caller }: Member, query: EventsQueryDto): Promise<Page<EventResource>> {
    const { relation = DEFAULTS.relation, scope = DEFAULTS.scope } = query;
    if (relation === 'organizing') return this.events.organizedBy(caller.id, scope, sliceOf(query));
    return this.forViewer.related(caller, RELATIONS[relation].state, scope, sliceOf(query));
  }
}

/** Without parameters, the page lists the upcoming events that the member joined. GET /events has other defaults. */
const DEFAULTS = { relation: 'joined', scope: 'upcoming' } as const;

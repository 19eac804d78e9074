import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { EventRelation, EventScope, ParticipationState } from '#contract/vocabulary';
import { AnswersPage } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { EventsQueryDto } from '../../events/event.dto';
import { OwnEventResource } from '../../events/event.resource';
import { EventsReader } from '../../events/events.reader';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { EventForViewerReader } from '../event-for-viewer.reader';
import { DiscoverEventResource } from '../event-for-viewer.resource';

/** The participation behind each relation, and the scope it has when none is sent (EVT-25, EVT-26). */
const RELATIONS: Record<Exclude<EventRelation, 'organizing'>, { state: ParticipationState; scope?: EventScope }> = {
  joined: { state: 'confirmed' },
  invited: { state: 'pending', scope: 'upcoming' },
  waitlisted: { state: 'waitlisted', scope: 'upcoming' },
  requested: { state: 'requested', scope: 'upcoming' },
};

/** GET /events: one's own events, and those one has to do with. */
@ApiTags('Events')
@Controller('events')
export class RelatedEventsController {
  constructor(
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
  ) {}

  /** Own events in the own-event shape; the other relations in the Discover shape. */
  @Get()
  @AnswersPage([OwnEventResource, DiscoverEventResource])
  async list(
    @CurrentCaller() caller: Caller,
    @QueryInput(EventsQueryDto) input: Input<EventsQueryDto>,
  ): Promise<Page<OwnEventResource | DiscoverEventResource>> {
    const query = input.read();
    const relation = query.relation ?? 'organizing';
    if (relation === 'organizing') return this.events.organizedBy(caller.id, query.scope, sliceOf(query));
    const { state, scope } = RELATIONS[relation];
    return this.forViewer.related(caller, state, query.scope ?? scope, sliceOf(query));
  }
}

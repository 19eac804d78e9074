import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersPage } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import { sliceOf, type Page } from '#platform/http/page';
import { EventsQueryDto } from '../../events/event.dto';
import { EventsReader } from '../../events/events.reader';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { EventForViewerReader } from '../event-for-viewer.reader';
import { RELATIONS } from '../relations';
import {
  DiscoverEventItemResource,
  discoverEventItem,
  OwnEventItemResource,
  ownEventItem,
} from './related-event.resource';

/** GET /events: the caller's own events, or the events to which the caller has another relation. */
@ApiTags('Events')
@Controller('events')
export class RelatedEventsController {
  constructor(
    private readonly events: EventsReader,
    private readonly forViewer: EventForViewerReader,
  ) {}

  /**
   * Lists the events that you have a relation to. `relation=organizing`, the default, lists your own events in the same
   * shape as `GET /events/{id}`. The other relations list other people's events in the same shape as
   * `GET /discover/events`. The field `kind` of an item names its shape.
   */
  @Get()
  @AnswersPage([OwnEventItemResource, DiscoverEventItemResource], {
    name: 'EventPage',
    discriminator: { field: 'kind', shapes: { own: OwnEventItemResource, discover: DiscoverEventItemResource } },
  })
  async listEvents(
    @CurrentCaller() caller: Caller,
    @QueryInput(EventsQueryDto) input: Input<EventsQueryDto>,
  ): Promise<Page<OwnEventItemResource | DiscoverEventItemResource>> {
    const query = input.read();
    const relation = query.relation ?? 'organizing';
    if (relation === 'organizing')
      return (await this.events.organizedBy(caller.id, query.scope, sliceOf(query))).map(ownEventItem);
    const { state, scope } = RELATIONS[relation];
    return (await this.forViewer.related(caller, state, query.scope ?? scope, sliceOf(query))).map(discoverEventItem);
  }
}

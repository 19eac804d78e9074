import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersPage, one, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import type { RenderedJson } from '#platform/http/rendered-json';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DiscoverEventResource } from '../participation/event-for-viewer.resource';
import { DiscoverQueryDto } from './discover.dto';
import { DiscoverReader } from './discover.reader';

/** The list of other people's public events, and single events that the caller sees (docs/rules/discover.md). */
@ApiTags('Discover')
@Controller('discover/events')
export class DiscoverController {
  constructor(private readonly discover: DiscoverReader) {}

  /**
   * Lists other people's public events that are active and have not ended. Boosted events come first, then all others,
   * both sorted by start; `sort` selects another order. An event must match all filters. `lat` and `lng` must be sent
   * together and narrow the list to `radius_km`; they change the order only with `sort=distance`. `date_to` must not be
   * before `date_from`. To read the whole list, follow `meta.next_cursor`: no event that stays listed is skipped or
   * repeated, even if other events change.
   */
  @Get()
  @AnswersPage(DiscoverEventResource, { byCursor: true })
  async discoverEvents(
    @CurrentCaller() caller: Caller,
    @QueryInput(DiscoverQueryDto) input: Input<DiscoverQueryDto>,
  ): Promise<Page<DiscoverEventResource | RenderedJson>> {
    return this.discover.list(caller, input.read());
  }

  /**
   * Shows an event that you may see. You may see public events, private events that you have a relation to, and your
   * own events.
   */
  @Get(':id')
  @Answers(DiscoverEventResource)
  async getDiscoveredEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
  ): Promise<One<DiscoverEventResource>> {
    return one(await this.discover.show(caller, id));
  }
}

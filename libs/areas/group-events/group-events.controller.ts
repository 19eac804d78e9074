import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersNothing, AnswersPage, Refuses } from '#platform/http/answers';
import { GroupIdPipe, partIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { GroupEventsQueryDto } from './group-event.dto';
import { GroupEventResource } from './group-event.resource';
import { GroupEventsService } from './group-events.service';
import { InterestService } from './interest.service';

const EventWithinPipe = partIdPipe('event');

/** GRP-20, GRP-21: a group's own events, and other events that the group is interested in. */
@ApiTags('Groups')
@Controller('groups/:id/events')
export class GroupEventsController {
  constructor(
    private readonly events: GroupEventsService,
    private readonly interests: InterestService,
  ) {}

  /**
   * Lists the events of a group. For members only. The list contains the group's own events and the events in which the
   * group is interested. Events that you may not see are left out. `group_link` shows whether an event is the group's
   * own.
   */
  @Get()
  @AnswersPage(GroupEventResource)
  @Refuses('forbidden')
  async listGroupEvents(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @QueryInput(GroupEventsQueryDto) input: Input<GroupEventsQueryDto>,
  ): Promise<Page<GroupEventResource>> {
    return this.events.list(caller, id, input);
  }

  /**
   * Adds the interest of a group in an event. For members only. The event must be public, active and not an event of
   * this group; otherwise 409 `conflict`. A repeated request changes nothing.
   */
  @Put(':eventId/interest')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'conflict')
  async addGroupEventInterest(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @Param('eventId', EventWithinPipe) eventId: number,
  ): Promise<void> {
    await this.interests.add(caller, id, eventId);
  }

  /** Removes the interest of a group in an event. For members only. The event itself is not changed. */
  @Delete(':eventId/interest')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async removeGroupEventInterest(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @Param('eventId', EventWithinPipe) eventId: number,
  ): Promise<void> {
    await this.interests.remove(caller, id, eventId);
  }
}

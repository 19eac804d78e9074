import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersNothing, AnswersPage, Refuses } from '#platform/http/answers';
import { idPipe, partIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { GroupEventsQueryDto } from './group-event.dto';
import { GroupEventResource } from './group-event.resource';
import { GroupEventsService } from './group-events.service';
import { InterestService } from './interest.service';

const GroupIdPipe = idPipe('group');
const EventWithinPipe = partIdPipe('event');

/** GRP-20, GRP-21: a group's own events, and others' it is going to. */
@ApiTags('Groups')
@Controller('groups/:id/events')
export class GroupEventsController {
  constructor(
    private readonly events: GroupEventsService,
    private readonly interests: InterestService,
  ) {}

  /** For members: the group's events that the caller may see. */
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

  /** A member adds somebody else's public, active event. */
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

  /** A member removes it. */
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

import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { EventCreationService } from './event-creation.service';
import { CreateEventDto, UpdateEventDto } from '../event.dto';
import { OwnEventResource } from '../event.resource';
import { EventsService } from './events.service';

/** docs/rules/events.md: one's own. The list lives in participation, which knows the other relations. */
@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly creation: EventCreationService,
    private readonly events: EventsService,
  ) {}

  /** Creates an event; at most two a day, together with series. */
  @Post()
  @Answers(OwnEventResource, { status: 201 })
  @Refuses('daily_event_limit')
  async createEvent(@CurrentCaller() caller: Caller, @BodyInput(CreateEventDto) body: Input<CreateEventDto>): Promise<One<OwnEventResource>> {
    return one(await this.creation.create(caller, body));
  }

  /** One of the caller's own events. */
  @Get(':id')
  @Answers(OwnEventResource)
  @Refuses('forbidden')
  async getEvent(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number): Promise<One<OwnEventResource>> {
    return one(await this.events.show(caller, id));
  }

  /** Changes what is sent; `status: cancelled` cancels. */
  @Patch(':id')
  @Answers(OwnEventResource)
  @Refuses('forbidden', 'conflict', 'precondition_failed')
  async updateEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(UpdateEventDto) body: Input<UpdateEventDto>,
    @IfMatch() precondition: Precondition,
  ): Promise<One<OwnEventResource>> {
    return one(await this.events.update(caller, id, body, precondition));
  }

  /** Deletes an event without confirmed participants; 409 otherwise. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'conflict', 'precondition_failed')
  async deleteEvent(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number, @IfMatch() precondition: Precondition): Promise<void> {
    await this.events.remove(caller, id, precondition);
  }
}

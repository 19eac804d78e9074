import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { CreateEventDto, UpdateEventDto } from '../event.dto';
import { OwnEventResource } from '../event.resource';
import { EventsService } from '../events.service';

/**
 * The caller's own events (docs/rules/events.md). The list of events (GET /events) is in the area `participation`,
 * because it also contains events that the caller does not organize.
 */
@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  /**
   * Creates an event. Only `title` and `starts_at` are required. An account can create at most two events and series in
   * total per calendar day (Prague time); above that the answer is 429 `daily_event_limit`. `latitude` and `longitude`
   * must be sent together. `seeking_company` needs a public event with `join_mode` `open` or `request`,
   * `max_participants` from 2 to 10 and no price in credits.
   */
  @Post()
  @Answers(OwnEventResource, { status: 201 })
  @Refuses('daily_event_limit')
  async createEvent(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreateEventDto) body: Input<CreateEventDto>,
  ): Promise<One<OwnEventResource>> {
    return one(await this.events.create(caller, body));
  }

  /** Shows one of your own events. For the organizer only; others read `GET /discover/events/{id}`. */
  @Get(':id')
  @Answers(OwnEventResource)
  @Refuses('forbidden')
  async getEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
  ): Promise<One<OwnEventResource>> {
    return one(await this.events.show(caller, id));
  }

  /**
   * Changes an event. For the organizer only. Absent fields are not changed. The changed event must follow the rules
   * for new events, but the start may be in the past. `status: cancelled` cancels the event, returns held credits and
   * notifies the participants; a cancelled event cannot become active again: 409 `conflict`.
   */
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

  /**
   * Deletes an event. For the organizer only. An event with confirmed participants cannot be deleted: 409 `conflict`;
   * cancel it instead.
   */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'conflict', 'precondition_failed')
  async deleteEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    await this.events.remove(caller, id, precondition);
  }
}

import { Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { PutItineraryDto } from './itinerary.dto';
import { ItineraryResource } from './itinerary.resource';
import { ItineraryService } from './itinerary.service';

@ApiTags('Itinerary')
@Controller('events/:id/itinerary')
export class ItineraryController {
  constructor(private readonly itinerary: ItineraryService) {}

  /** Shows the plan of an event with its stops. For everybody who sees the event. */
  @Get()
  @Answers(ItineraryResource)
  async getEventItinerary(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
  ): Promise<One<ItineraryResource>> {
    return one(await this.itinerary.show(caller, id));
  }

  /**
   * Creates or replaces the plan of an event. For the organizer only. The body replaces the whole plan with all its
   * stops. `latitude` and `longitude` of a stop must be sent together.
   */
  @Put()
  @Answers(ItineraryResource, { status: 201, description: 'created' })
  @Answers(ItineraryResource, { description: 'replaced' })
  @Refuses('forbidden', 'precondition_failed')
  async putEventItinerary(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(PutItineraryDto) body: Input<PutItineraryDto>,
    @IfMatch() precondition: Precondition,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<One<ItineraryResource>> {
    const { plan, created } = await this.itinerary.put(caller, id, body, precondition);
    reply.status(created ? 201 : 200);
    return one(plan);
  }

  /** Deletes the plan of an event and the plan's public page. For the organizer only. */
  @Delete()
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'precondition_failed')
  async deleteEventItinerary(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    await this.itinerary.remove(caller, id, precondition);
  }
}

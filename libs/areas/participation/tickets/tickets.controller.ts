import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersList, AnswersNothing, AnswersPage, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { TicketResource } from './ticket.resource';
import { MakeTicketsDto } from '../tickets.dto';
import { TicketsService } from '../tickets.service';

/** The endpoints for the ticket codes of an event (JOIN-39, JOIN-40, JOIN-42). */
@ApiTags('Tickets')
@Controller('events/:id/tickets')
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  /**
   * Lists the ticket codes of an event. For the organizer only. The list contains used and unused codes, the oldest
   * first. A code stays used after its holder leaves.
   */
  @Get()
  @AnswersPage(TicketResource)
  @Refuses('forbidden')
  async listEventTickets(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<TicketResource>> {
    return this.tickets.list(caller, id, input);
  }

  /**
   * Creates ticket codes. For the organizer only. If the event does not have `join_mode=tickets`, the answer is 409
   * `conflict`. If the limits allow fewer codes than `count`, fewer codes are created. An event has at most 500 codes.
   * The number of unused codes plus the number of holders who take part is at most `max_participants`. A code stays
   * used after its holder leaves, so the holder needs another code to join again.
   */
  @Post()
  @AnswersList(TicketResource, { status: 201 })
  @Refuses('forbidden', 'conflict', 'ticket_limit_reached')
  async createEventTickets(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(MakeTicketsDto) body: Input<MakeTicketsDto>,
  ): Promise<One<TicketResource[]>> {
    return { data: await this.tickets.make(caller, id, body) };
  }

  /**
   * Deletes an unused ticket code. For the organizer only. For a used code, the answer is 409 `ticket_used`, even after
   * its holder has left.
   */
  @Delete(':code')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'ticket_used')
  async deleteEventTicket(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('code') code: string,
  ): Promise<void> {
    await this.tickets.remove(caller, id, code);
  }
}

import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersList, AnswersNothing, AnswersPage, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { TicketResource } from './ticket.resource';
import { MakeTicketsDto } from './tickets.dto';
import { TicketsService } from './tickets.service';

/** JOIN-39, JOIN-40, JOIN-42: ticket codes of an event with join_mode=tickets. */
@ApiTags('Tickets')
@Controller('events/:id/tickets')
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  /** All codes, used and unused; oldest first. */
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

  /** Makes codes, as many as still fit under max_participants and 500. */
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

  /** Deletes an unused code. */
  @Delete(':code')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'ticket_used')
  async deleteEventTicket(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number, @Param('code') code: string): Promise<void> {
    await this.tickets.remove(caller, id, code);
  }
}

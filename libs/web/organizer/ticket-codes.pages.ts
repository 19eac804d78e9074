import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventsService } from '#areas/events/events.service';
import { MakeTicketsDto } from '#areas/participation/tickets.dto';
import { TicketsService } from '#areas/participation/tickets.service';
import { Input } from '#platform/http/input';
import { PageQueryDto } from '#platform/http/page';
import { EventIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { number, plainForm } from '../form/plan';
import { SentForm } from '../form/sent-form';
import { neighboursOf, pageNumber } from '../listing';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';

const PER_PAGE = 100;
const TICKETS = plainForm('tickets', number('count', 'tickets_count', { required: true, hint: 'tickets_count_hint' }));

/** /events/{id}/tickets: the ticket codes of an event, for its organizer (PAGE-94). */
@ActingPageController()
export class TicketCodePages {
  constructor(
    private readonly events: EventsService,
    private readonly ticketCodes: TicketsService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('events/:id/tickets')
  page(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Query('page') page: unknown,
    @Req() { url }: FastifyRequest,
  ): Promise<View> {
    return this.show(member, id, { url, page: pageNumber(page) });
  }

  @Post('events/:id/tickets')
  @CheckForm({ plan: TICKETS })
  make(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(TICKETS, MakeTicketsDto, raw, member);
        const { length: count } = await this.ticketCodes.make(member.caller, id, form);
        return redirectTo(this.pathOf(id), 'tickets_made', { count });
      },
      show: (refusal) => this.show(member, id, { url: this.pathOf(id), page: 1 }, refusal),
    });
  }

  @Post('events/:id/tickets/:code/delete')
  @CheckForm()
  remove(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Param('code') code: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async () => {
        await this.ticketCodes.remove(member.caller, id, code);
        return redirectTo(this.pathOf(id), 'tickets_deleted');
      },
      show: (refusal) => this.show(member, id, { url: this.pathOf(id), page: 1 }, refusal, true),
    });
  }

  /** `isDeletion`: whether the refused request came from the button that deletes a code, not from the form. */
  private async show(
    member: Member,
    id: number,
    { url, page }: { readonly url: string; readonly page: number },
    refusal: FormRefusal | null = null,
    isDeletion = false,
  ): Promise<View> {
    const event = await this.events.show(member.caller, id);
    const query = await Input.of(PageQueryDto, { page: String(page), per_page: String(PER_PAGE) }, 'text');
    const tickets = await this.ticketCodes.list(member.caller, id, query);
    return view(
      'tickets',
      {
        ...partOf(event.title, translator(member.locale)('tickets')),
        event,
        tickets: tickets.items,
        total: tickets.total,
        mayMake: event.join_mode === 'tickets' || (refusal !== null && !isDeletion),
        formView: formView(TICKETS, member, { key: newKey(), refusal: isDeletion ? null : refusal }),
        refused: isDeletion ? (refusal?.text ?? null) : null,
        neighbours: neighboursOf(url, tickets),
      },
      refusal?.status ?? 200,
    );
  }

  private pathOf(id: number): string {
    return `/events/${this.wire.id('event', id)}/tickets`;
  }
}

import { Get, Param, StreamableFile } from '@nestjs/common';
import { TicketsService } from '#areas/participation/tickets.service';
import { CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { whenOf, whereOf } from '../public/event-facts';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';
import { ticketsFile } from './tickets-file';

/** /events/{id}/tickets.pdf: one page for each ticket. The organizer can print or forward the pages (DOOR-14). */
@PageController()
export class TicketPages {
  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly tickets: TicketsService,
  ) {}

  @Get('events/:id/tickets.pdf')
  @SignedInOnly()
  async print(@CurrentMember() member: Member, @Param('id') id: string): Promise<StreamableFile> {
    const { eventId, event } = await this.visibleEvents.event(id, member);
    const tickets = await this.tickets.toPrint(member.caller, eventId);
    const say = translator(member.locale);
    const file = ticketsFile({
      title: event.title,
      documentName: say('tickets'),
      facts: [whenOf(event, member), whereOf(event), event.organizer.name].filter(Boolean),
      hint: say('ticket_hint'),
      usedWord: say('ticket_used'),
      locale: member.locale,
      tickets,
    });
    return new StreamableFile(file, {
      type: 'application/pdf',
      disposition: `inline; filename="tickets-${event.id}.pdf"`,
    });
  }
}

import { Get, Param, StreamableFile } from '@nestjs/common';
import { DoorCommands } from '#areas/participation/door.commands';
import { localTimes } from '../local-time';
import { CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';
import { ticketsFile } from './tickets-file';

/** /events/{id}/tickets.pdf: one page for each ticket. The organizer can print or forward the pages (DOOR-14). */
@PageController()
export class TicketPages {
  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly door: DoorCommands,
  ) {}

  @Get('events/:id/tickets.pdf')
  @SignedInOnly()
  async print(@CurrentMember() member: Member, @Param('id') id: string): Promise<StreamableFile> {
    const { eventId, event } = await this.visibleEvents.event(id, member);
    const tickets = await this.door.tickets(member.caller, eventId);
    const say = translator(member.locale);
    const when = localTimes(member, new Date(event.starts_at), event.ends_at === null ? null : new Date(event.ends_at));
    const where = [event.location_name, event.location_address].filter(Boolean).join(', ');
    const file = ticketsFile({
      title: event.title,
      documentName: say('tickets'),
      facts: [when, where, event.organizer.name].filter(Boolean),
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

import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DoorCommands } from '#areas/participation/door.commands';
import { localTimes } from '../local-time';
import { Pages } from '../pages';
import { SeenEvents } from '../public/seen-events';
import { translator } from '../texts';
import { ticketsFile } from './tickets-file';

type ById = { Params: { id: string } };

/** /events/{id}/tickets.pdf: a page for each ticket, to be printed or sent on; the organizer's alone (DOOR-14). */
@Injectable()
export class TicketPages {
  constructor(
    private readonly pages: Pages,
    private readonly seen: SeenEvents,
    private readonly door: DoorCommands,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<ById>('/events/:id/tickets.pdf', async (request, reply) => this.print(request, reply));
  }

  private async print(request: FastifyRequest<ById>, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const { id } = request.params;
    if (!reader.user)
      return this.pages.goTo(
        reply,
        `/sign-in?next=${encodeURIComponent(`/events/${encodeURIComponent(id)}/tickets.pdf`)}`,
      );
    const { eventId, event } = await this.seen.event(id, reader);
    const tickets = await this.door.tickets(reader.caller, eventId);
    const say = translator(reader.locale);
    const when = localTimes(reader, new Date(event.starts_at), event.ends_at === null ? null : new Date(event.ends_at));
    const where = [event.location_name, event.location_address].filter(Boolean).join(', ');
    reply.type('application/pdf').header('content-disposition', `inline; filename="tickets-${event.id}.pdf"`);
    return reply.send(
      ticketsFile({
        title: event.title,
        name: say('tickets'),
        facts: [when, where, event.organizer.name].filter(Boolean),
        hint: say('ticket_hint'),
        usedWord: say('ticket_used'),
        locale: reader.locale,
        tickets,
      }),
    );
  }
}

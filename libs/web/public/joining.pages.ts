import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JoiningCommands } from '#areas/participation/joining.commands';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { formValues, type FormValues } from '../forms';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { ownForms } from '../session';
import { translator } from '../texts';
import { EventView } from './event-view';

type ById = { Params: { id: string } };
type Act = (caller: Reader['caller'], eventId: number, values: FormValues) => Promise<void>;

/** What the forms of an event's page do: join, ask, accept; leave, decline, take back; wait (PAGE-24). */
@Injectable()
export class JoiningPages {
  constructor(
    private readonly pages: Pages,
    private readonly view: EventView,
    private readonly joining: JoiningCommands,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    const acts: Record<'join' | 'leave' | 'waitlist', Act> = {
      join: (caller, id, { password, ticket_code }) =>
        this.joining.join(caller, id, { password: filled(password), ticket_code: filled(ticket_code) }),
      leave: (caller, id) => this.joining.leave(caller, id),
      waitlist: (caller, id) => this.joining.wait(caller, id),
    };
    for (const [name, act] of Object.entries(acts)) {
      fastify.post<ById>(`/events/:id/${name}`, ownForms(fastify), async (request, reply) =>
        this.do(act, request, reply),
      );
    }
  }

  private async do(act: Act, request: FastifyRequest<ById>, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const { id } = request.params;
    const page = `/events/${encodeURIComponent(id)}`;
    if (!reader.user) return this.pages.goTo(reply, `/sign-in?next=${encodeURIComponent(page)}`);
    const eventId = this.wire.ids.decode('event', id);
    if (eventId === null) throw new Refusal('not_found');
    try {
      await act(reader.caller, eventId, formValues(request.body));
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'not_found') return this.refuse(error, id, reader, reply);
      throw error;
    }
    return this.pages.goTo(reply, page);
  }

  /** On the page the form came from, as far as the reader still sees it. */
  private async refuse(refusal: Refusal, id: string, reader: Reader, reply: FastifyReply): Promise<FastifyReply> {
    const { status, headers, body } = envelopeOf(refusal, reader.locale);
    reply.headers(headers);
    try {
      return await this.view.show(id, reader, reply, { status, text: body.message });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.pages.show(
        reader,
        reply,
        'refused',
        { title: translator(reader.locale)('refused'), text: body.message },
        status,
      );
    }
  }
}

function filled(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value;
}

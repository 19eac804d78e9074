import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventsService } from '#areas/events/events.service';
import { SendMessageDto } from '#areas/messages/message.dto';
import { isTooLateForMessage, MessagesService } from '#areas/messages/messages.service';
import { MESSAGE_AUDIENCES } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import { PageQueryDto } from '#platform/http/page';
import { EventIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { area, choicesOf, plainForm, select } from '../form/plan';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { overAtOf } from '../public/event-facts';
import { neighboursOf, pageNumber } from '../listing';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';

const PER_PAGE = 20;
const MESSAGE = plainForm(
  'message',
  select('to', 'message_to', choicesOf(MESSAGE_AUDIENCES, 'message_to_')),
  area('text', 'message_text', { required: true, hint: 'message_text_hint' }),
);

/**
 * /events/{id}/people/message: a form for a message to the people of an event, and a list of the sent messages
 * (PAGE-90).
 */
@ActingPageController()
export class MessagePages {
  constructor(
    private readonly events: EventsService,
    private readonly messages: MessagesService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  @Get('events/:id/people/message')
  page(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Query('page') page: unknown,
    @Req() { url }: FastifyRequest,
  ): Promise<View> {
    return this.show(member, id, url, pageNumber(page));
  }

  @Post('events/:id/people/message')
  @CheckForm({ plan: MESSAGE })
  send(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const path = `/events/${this.wire.id('event', id)}/people/message`;
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(MESSAGE, SendMessageDto, raw, member);
        const { recipients } = await this.messages.send(member.caller, id, form);
        return redirectTo(path, 'message_sent', { count: recipients });
      },
      show: (refusal) => this.show(member, id, path, 1, refusal),
    });
  }

  private async show(
    member: Member,
    id: number,
    url: string,
    page: number,
    refusal: FormRefusal | null = null,
  ): Promise<View> {
    const event = await this.events.show(member.caller, id);
    const query = await Input.of(PageQueryDto, { page: String(page), per_page: String(PER_PAGE) }, 'text');
    const sent = await this.messages.list(member.caller, id, query);
    const say = translator(member.locale);
    const isTooLate = isTooLateForMessage(overAtOf(event), this.clock.now());
    // The code `conflict` means that the end of the event is too long ago, or that nobody would receive the message
    // (MSG-3).
    const conflictText = say(isTooLate ? 'message_too_late' : 'message_nobody');
    const shown = refusal?.code === 'conflict' ? { ...refusal, text: conflictText } : refusal;
    return view(
      'message',
      {
        ...partOf(event.title, say('message_title')),
        event,
        sent: sent.items,
        mayWrite: refusal !== null || !isTooLate,
        formView: formView(MESSAGE, member, { values: { to: 'confirmed' }, key: newKey(), refusal: shown }),
        neighbours: neighboursOf(url, sent),
      },
      refusal?.status ?? 200,
    );
  }
}

import { Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { JoinDto } from '#areas/participation/join.dto';
import { JoinService } from '#areas/participation/join.service';
import { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { FormRefusal } from '../form/form-refusal';
import { FormRunner } from '../form/form-runner';
import type { FormValues } from '../forms';
import { ActingPageController, CheckForm, CurrentMember, FormFields, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { EventView } from './event-view';
import { VisibleEvents } from './visible-events';

/** For each former state: the message after a person has ended the relation to an event. */
const MESSAGE_AFTER_LEAVING: Readonly<Record<string, TextKey>> = {
  confirmed: 'left_confirmed',
  pending: 'left_pending',
  waitlisted: 'left_waitlisted',
  requested: 'left_requested',
  offered: 'left_offered',
};

/**
 * The forms of an event's page (PAGE-24). `join` joins the event, requests to join, or accepts an invitation or an
 * offered seat. `leave` leaves the event or its waitlist, declines an invitation or an offered seat, or withdraws a
 * request. `waitlist` puts the member on the waitlist.
 */
@ActingPageController()
export class JoiningPages {
  constructor(
    private readonly view: EventView,
    private readonly visibleEvents: VisibleEvents,
    private readonly joining: JoinService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Post('events/:id/join')
  @CheckForm()
  join(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @FormFields() { password, ticket_code }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const fields = { password: textOrNull(password), ticket_code: textOrNull(ticket_code) };
    return this.submit(member, id, request, async (eventId, page) => {
      // After joining, the page begins with the confirmed seat, so it needs no message.
      const { viewer } = await this.joining.join(member.caller, eventId, await Input.of(JoinDto, fields, 'text'));
      return viewer.participation === 'requested' ? redirectTo(page, 'joining_requested') : redirectTo(page);
    });
  }

  /** A person who leaves a private event no longer sees its page, so the redirect then leads to /account/events. */
  @Post('events/:id/leave')
  @CheckForm()
  leave(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.submit(member, id, request, async (eventId, page) => {
      const formerState = await this.joining.leave(member.caller, eventId);
      const isVisible = (await this.visibleEvents.title(id, member)) !== null;
      return redirectTo(isVisible ? page : '/account/events', MESSAGE_AFTER_LEAVING[formerState]);
    });
  }

  @Post('events/:id/waitlist')
  @CheckForm()
  wait(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.submit(member, id, request, async (eventId, page) => {
      await this.joining.waitlist(member.caller, eventId);
      return redirectTo(page, 'joining_waiting');
    });
  }

  private async submit(
    member: Member,
    id: string,
    request: FastifyRequest,
    change: (eventId: number, page: string) => Promise<Redirect>,
  ): Promise<View | Redirect> {
    const eventId = this.wire.ids.decode('event', id);
    if (eventId === null) throw new Refusal('not_found');
    return this.formRunner.run(member, request, {
      action: () => change(eventId, `/events/${encodeURIComponent(id)}`),
      // The page of the event shows these refusals too.
      formCodes: ['forbidden', 'banned'],
      show: (refusal) => this.showRefusal(refusal, id, member),
    });
  }

  /** Shows the event's page with the refusal, or only the refusal if the member does not see the event. */
  private async showRefusal(refusal: FormRefusal, id: string, member: Member): Promise<View> {
    try {
      return await this.view.show(id, member, { join: refusal });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const title = translator(member.locale)('refused');
      return view('refused', { title, text: refusal.text }, refusal.status);
    }
  }
}

function textOrNull(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value;
}

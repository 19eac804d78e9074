import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventAccessPolicy } from '#areas/events/event-access.policy';
import { PutItineraryDto } from '#areas/itinerary/itinerary.dto';
import type { ItineraryResource } from '#areas/itinerary/itinerary.resource';
import { ItineraryService } from '#areas/itinerary/itinerary.service';
import { Database } from '#platform/database/database';
import { NO_PRECONDITION } from '#platform/http/precondition';
import { EventIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { versionOf } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import type { FormRefusal } from '../form/form-refusal';
import { newKey } from '../form/form-keys';
import { formView } from '../form/form-view';
import { rawFields, type RawFields } from '../form/raw-fields';
import { SentForm } from '../form/sent-form';
import { NO_OBJECT } from '../form/shown';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { ADD_STOP, ITINERARY_FORM, withNewStop } from './itinerary-form';
import { VisibleEvents } from '../public/visible-events';

/**
 * Maximum size of the form in bytes. The form contains the texts of up to 50 stops twice: as they were shown and as
 * they were typed.
 */
const MAX_FORM_BYTES = 1024 * 1024;

/**
 * The content of the form while the event has no itinerary. If an itinerary is created in another tab in the meantime,
 * this form is refused as a conflict.
 */
const NO_ITINERARY = { values: { is_public: false, stops: [] }, version: NO_OBJECT } as const;

/** /events/{id}/itinerary/edit: the form with which the organizer writes, changes and deletes an event's itinerary. */
@ActingPageController()
export class ItineraryFormPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly itineraries: ItineraryService,
    private readonly access: EventAccessPolicy,
    private readonly visibleEvents: VisibleEvents,
    private readonly database: Database,
    private readonly wire: WireFormat,
  ) {}

  @Get('events/:id/itinerary/edit')
  edit(@CurrentMember() member: Member, @Param('id', EventIdPipe) eventId: number): Promise<View> {
    return this.show(member, eventId);
  }

  @Post('events/:id/itinerary/edit')
  @CheckForm({ plan: ITINERARY_FORM, maxBytes: MAX_FORM_BYTES })
  put(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const sent = rawFields(request.body);
    if (ADD_STOP in sent) return this.show(member, eventId, null, withNewStop(sent));
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(ITINERARY_FORM, PutItineraryDto, raw, member, 'whole');
        await this.itineraries.put(member.caller, eventId, form, form.precondition());
        return redirectTo(`/events/${this.wire.id('event', eventId)}`, 'plan_saved');
      },
      show: (refusal) => this.show(member, eventId, refusal),
    });
  }

  @Post('events/:id/itinerary/edit/delete')
  @CheckForm()
  async remove(@CurrentMember() { caller }: Member, @Param('id', EventIdPipe) eventId: number): Promise<Redirect> {
    await this.itineraries.remove(caller, eventId, NO_PRECONDITION);
    return redirectTo(`/events/${this.wire.id('event', eventId)}`, 'plan_deleted');
  }

  private async show(
    member: Member,
    eventId: number,
    refusal: FormRefusal | null = null,
    typed: RawFields | null = null,
  ): Promise<View> {
    await this.access.organized(this.database, eventId, member.caller.id);
    const say = translator(member.locale);
    const id = this.wire.id('event', eventId);
    const [{ event }, itinerary] = await Promise.all([
      this.visibleEvents.event(id, member),
      this.itineraryOf(member, eventId),
    ]);
    const page = `/events/${id}`;
    const content = {
      ...partOf(event.title, say('plan')),
      back: { to: page, text: event.title },
      action: `${page}/itinerary/edit`,
      buttons: [
        { text: say('save') },
        { text: say('plan_stop_add'), look: 'second', name: ADD_STOP, value: '1', isStep: true },
      ],
      formView: formView(ITINERARY_FORM, member, {
        ...(itinerary
          ? { values: { ...itinerary }, version: versionOf(itinerary) ?? NO_OBJECT }
          : { ...NO_ITINERARY, key: newKey() }),
        refusal,
        typed,
      }),
      asks: itinerary
        ? [{ to: `${page}/itinerary/edit/delete`, title: say('plan_delete'), label: say('plan_delete_do') }]
        : [],
    } as const;
    return view('form-page', content, refusal?.status);
  }

  private async itineraryOf({ caller }: Member, eventId: number): Promise<ItineraryResource | null> {
    try {
      return await this.itineraries.show(caller, eventId);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    }
  }
}

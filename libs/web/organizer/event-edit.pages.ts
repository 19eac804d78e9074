import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateEventDto, UpdateEventDto } from '#areas/events/event.dto';
import type { OwnEventResource } from '#areas/events/event.resource';
import { ADDED_IMAGES, EventImagesService, IMAGES_OF_NEW_EVENT } from '#areas/events/event-images.service';
import { EventsService } from '#areas/events/events.service';
import { NO_PRECONDITION } from '#platform/http/precondition';
import { EventIdPipe, ImageIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { versionOf } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { EVENT, EVENT_IMAGES, MAX_EVENT_FORM_BYTES, NEW_EVENT } from './event.form';
import { NewEventView } from './new-event.view';

/** /events/new and /events/{id}/edit: the forms of an event (PAGE-92). */
@ActingPageController()
export class EventEditPages {
  constructor(
    private readonly events: EventsService,
    private readonly images: EventImagesService,
    private readonly formRunner: FormRunner,
    private readonly newEvents: NewEventView,
    private readonly wire: WireFormat,
  ) {}

  /**
   * The form of a new event. `from`: the id of an event whose values, except the times, fill the form. `group`: the id
   * of the group that the form shows as chosen.
   */
  @Get('events/new')
  async newEvent(
    @CurrentMember() member: Member,
    @Query('from') from: unknown,
    @Query('group') group: unknown,
  ): Promise<View> {
    const copied = typeof from === 'string' ? await this.events.show(member.caller, this.idOf(from)) : null;
    if (!copied) return this.newEvents.show(member, { values: { group } });
    return this.newEvents.show(member, {
      values: { ...copied, starts_at: null, ends_at: null },
      intro: translator(member.locale)('event_copied', { title: copied.title }),
    });
  }

  @Post('events/new')
  @CheckForm({ plan: NEW_EVENT, files: IMAGES_OF_NEW_EVENT, maxBytes: MAX_EVENT_FORM_BYTES })
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, pictures) => {
        const form = await SentForm.ofSent(NEW_EVENT, CreateEventDto, raw, member);
        const { id } = await this.events.create(member.caller, form);
        if (pictures.length > 0) await this.images.addStored(member.caller, this.idOf(id), pictures);
        return redirectTo(`/events/${id}`, 'event_created');
      },
      show: (refusal) => this.newEvents.show(member, { refusal }),
    });
  }

  @Get('events/:id/edit')
  async edit(@CurrentMember() member: Member, @Param('id', EventIdPipe) id: number): Promise<View> {
    return this.showEdit(member, id, null);
  }

  @Post('events/:id/edit')
  @CheckForm({ plan: EVENT, maxBytes: MAX_EVENT_FORM_BYTES })
  save(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(EVENT, UpdateEventDto, raw, member);
        const event = await this.events.update(member.caller, id, form, form.precondition());
        return redirectTo(`/events/${event.id}`, 'event_saved');
      },
      show: (refusal) => this.showEdit(member, id, refusal),
    });
  }

  @Post('events/:id/edit/images')
  @CheckForm({ plan: EVENT_IMAGES, files: ADDED_IMAGES })
  async addImages(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    // This call throws 403 or 404 before the files are read.
    await this.events.show(member.caller, id);
    return this.formRunner.run(member, request, {
      action: async (_raw, pictures) => {
        await this.images.addStored(member.caller, id, pictures);
        return this.redirectToEdit(id, 'event_images_added');
      },
      show: (refusal) => this.showEdit(member, id, refusal, 'images'),
    });
  }

  @Post('events/:id/edit/images/:imageId/primary')
  @CheckForm()
  makePrimary(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Param('imageId', ImageIdPipe) imageId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.runButton(member, id, request, async () => {
      await this.images.makePrimary(member.caller, id, imageId);
      return this.redirectToEdit(id, 'event_image_primary');
    });
  }

  @Post('events/:id/edit/images/:imageId/delete')
  @CheckForm()
  removeImage(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Param('imageId', ImageIdPipe) imageId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.runButton(member, id, request, async () => {
      await this.images.remove(member.caller, id, imageId);
      return this.redirectToEdit(id, 'event_image_deleted');
    });
  }

  @Post('events/:id/edit/cancel')
  @CheckForm()
  cancel(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.runButton(member, id, request, async () => {
      await this.events.cancel(member.caller, id);
      return redirectTo(`/events/${this.wire.id('event', id)}`, 'event_cancelled');
    });
  }

  @Post('events/:id/edit/delete')
  @CheckForm()
  remove(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async () => {
        await this.events.remove(member.caller, id, NO_PRECONDITION);
        return redirectTo('/account/events?relation=organizing', 'event_deleted');
      },
      show: (refusal) => {
        // `conflict` means that the event has confirmed participants (EVT-21).
        const text = refusal.code === 'conflict' ? translator(member.locale)('event_delete_not') : refusal.text;
        return this.showEdit(member, id, { ...refusal, text }, 'button');
      },
    });
  }

  private runButton(
    member: Member,
    id: number,
    request: FastifyRequest,
    action: () => Promise<Redirect>,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action,
      show: (refusal) => this.showEdit(member, id, refusal, 'button'),
    });
  }

  /** `refusedForm`: which form of the page was refused, if `refusal` is not null. */
  private async showEdit(
    member: Member,
    id: number,
    refusal: FormRefusal | null,
    refusedForm: 'event' | 'images' | 'button' = 'event',
  ): Promise<View> {
    const event = await this.events.show(member.caller, id);
    return view(
      'event-edit',
      {
        ...partOf(event.title, translator(member.locale)('event_edit')),
        event,
        // The API deletes only events without confirmed participants (EVT-21). `current_participants` also counts the
        // organizer.
        mayDelete: event.current_participants <= 1,
        key: newKey(),
        formView: formView(EVENT, member, {
          values: event as OwnEventResource & Record<string, unknown>,
          version: versionOf(event) ?? 0,
          refusal: refusedForm === 'event' ? refusal : null,
        }),
        pictures: formView(EVENT_IMAGES, member, {
          key: newKey(),
          refusal: refusedForm === 'images' ? refusal : null,
        }),
        refused: refusedForm === 'button' ? (refusal?.text ?? null) : null,
      },
      refusal?.status ?? 200,
    );
  }

  private redirectToEdit(
    id: number,
    message: 'event_images_added' | 'event_image_primary' | 'event_image_deleted',
  ): Redirect {
    return redirectTo(`/events/${this.wire.id('event', id)}/edit#pictures`, message);
  }

  private idOf(hashid: string): number {
    const id = this.wire.ids.decode('event', hashid);
    if (id === null) throw new Refusal('not_found');
    return id;
  }
}

import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventsService } from '#areas/events/events.service';
import { CreateDoorLinkDto } from '#areas/participation/door-link.dto';
import { DoorLinksService } from '#areas/participation/door-links.service';
import { LIMITS } from '#contract/limits';
import { Input } from '#platform/http/input';
import { PageQueryDto } from '#platform/http/page';
import { EventIdPipe, idPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { qrSvg } from '#platform/text/qr-code';
import { Clock } from '#platform/time/clock';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { plainForm, text } from '../form/plan';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { isOverFor } from '../public/event-facts';
import { neighboursOf, pageNumber } from '../listing';
import { redirectTo, type Redirect } from '../redirect';
import { takeSecret } from '../session';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';

const DoorLinkIdPipe = idPipe('door_link');
const PER_PAGE = 20;
const DOOR_LINK = plainForm(
  'door-link',
  text('name', 'door_link_name', { required: true, hint: 'door_link_name_hint' }),
);

/**
 * /events/{id}/people/door-links: the organizer's door links. With such a link, a helper without an account can check
 * people in at the door (DOOR-25).
 */
@ActingPageController()
export class DoorLinkListPages {
  constructor(
    private readonly events: EventsService,
    private readonly links: DoorLinksService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  @Get('events/:id/people/door-links')
  page(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Query('page') page: unknown,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    return this.show(member, id, request, { page: pageNumber(page) });
  }

  @Post('events/:id/people/door-links')
  @CheckForm({ plan: DOOR_LINK })
  create(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(DOOR_LINK, CreateDoorLinkDto, raw, member);
        const { name, url } = await this.links.create(member.caller, id, form);
        return redirectTo(this.pathOf(id), 'door_link_created', { name }).withSecret(url);
      },
      show: (refusal) => this.show(member, id, request, { refusal }),
    });
  }

  @Post('events/:id/people/door-links/:linkId/delete')
  @CheckForm()
  remove(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Param('linkId', DoorLinkIdPipe) linkId: number,
  ): Promise<Redirect> {
    return this.links.remove(member.caller, id, linkId).then(() => redirectTo(this.pathOf(id), 'door_link_removed'));
  }

  private async show(
    member: Member,
    id: number,
    request: FastifyRequest,
    { page = 1, refusal = null }: { readonly page?: number; readonly refusal?: FormRefusal | null },
  ): Promise<View> {
    const event = await this.events.show(member.caller, id);
    const query = await Input.of(PageQueryDto, { page: String(page), per_page: String(PER_PAGE) }, 'text');
    const links = await this.links.list(member.caller, id, query);
    const address = takeSecret(request, this.pathOf(id));
    return view(
      'door-links',
      {
        ...partOf(event.title, translator(member.locale)('door_links_title')),
        event,
        fresh: address === null ? null : { address, code: await qrSvg(address) },
        links: links.items,
        mayCreate: refusal !== null || !isOverFor(event, LIMITS.door.links.after_end, this.clock.now()),
        formView: formView(DOOR_LINK, member, { key: newKey(), refusal }),
        neighbours: neighboursOf(request.url, links),
      },
      refusal?.status ?? 200,
    );
  }

  private pathOf(id: number): string {
    return `/events/${this.wire.id('event', id)}/people/door-links`;
  }
}

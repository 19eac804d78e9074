import { Get, Param, Post, Query, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventsService } from '#areas/events/events.service';
import { UsersReader } from '#areas/identity/users.reader';
import { CheckInDto } from '#areas/participation/check-in.dto';
import { InviteDto, ParticipantsQueryDto, RemoveQueryDto } from '#areas/participation/participants.dto';
import { ParticipantsService } from '#areas/participation/participants.service';
import type { RefusalCode } from '#contract/refusals';
import type { ParticipationState } from '#contract/vocabulary';
import { csvDownload } from '#platform/http/csv-answer';
import { Input } from '#platform/http/input';
import { queryOf } from '#platform/http/paths';
import { EventIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { compareNames } from '#platform/text/name-order';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { SentForm } from '../form/sent-form';
import { nameBySlug } from '../gone-name';
import { localTime } from '../local-time';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { whenOf } from '../public/event-facts';
import { redirectTo, type Redirect } from '../redirect';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { INVITE } from '../people-search';
import { BY_CODE, PeopleView } from './people.view';

type Action = (
  participants: ParticipantsService,
  ...person: Parameters<ParticipantsService['promote']>
) => Promise<unknown>;

/**
 * The API has one request to remove, decline and unban; the person's status determines what the request does. But a
 * page may be outdated, so each of these buttons requires one of the statuses for which the page shows the button:
 * "Decline" must not remove a person whose request was accepted meanwhile.
 */
const removal =
  (...expected: readonly ParticipationState[]): Action =>
  async (participants, ...person) =>
    participants.remove(...person, await Input.of(RemoveQueryDto, {}, 'text'), expected);
const ban: Action = async (participants, ...person) =>
  participants.remove(...person, await Input.of(RemoveQueryDto, { ban: '1' }, 'text'));
const promote: Action = (participants, ...person) => participants.promote(...person);
const checkIn: Action = (participants, ...person) => participants.checkIn(...person);
const undoCheckIn: Action = (participants, ...person) => participants.undoCheckIn(...person);

/**
 * The action of each button next to a person, the message after a success, and the list that contains the button
 * (absent if several lists contain it). The organizer returns to this list.
 */
const BUTTONS = {
  approve: { action: promote, message: 'people_approved', list: 'requested' },
  decline: { action: removal('requested'), message: 'people_was_declined', list: 'requested' },
  promote: { action: promote, message: 'people_promoted', list: 'waitlisted' },
  remove: { action: removal('waitlisted', 'confirmed', 'pending', 'declined'), message: 'people_removed' },
  ban: { action: ban, message: 'people_was_banned' },
  unban: { action: removal('banned'), message: 'people_unbanned', list: 'banned' },
  'check-in': { action: checkIn, message: 'people_checked_in', list: 'confirmed' },
  undo: { action: undoCheckIn, message: 'people_undone', list: 'confirmed' },
} as const satisfies Record<string, Button>;

interface Button {
  readonly action: Action;
  readonly message: TextKey;
  readonly list?: ParticipationState;
}

/** Texts that replace the usual messages when a check-in by code is refused. */
const CODE_REFUSALS: Partial<Record<RefusalCode, TextKey>> = {
  not_found: 'door_unknown',
  not_participant: 'people_code_unused',
};

/** Number of people that one query reads for the printed list, which contains all confirmed people. */
const PEOPLE_PER_QUERY = 100;

/** /events/{id}/people: the people of an event, for its organizer (PAGE-93). */
@ActingPageController()
export class PeoplePages {
  constructor(
    private readonly page: PeopleView,
    private readonly events: EventsService,
    private readonly participants: ParticipantsService,
    private readonly users: UsersReader,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('events/:id/people')
  show(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Query() query: Record<string, unknown>,
    @Req() { url }: FastifyRequest,
  ): Promise<View> {
    return this.page.show(id, member, { url, query });
  }

  @Get('events/:id/people.csv')
  async file(@CurrentMember() member: Member, @Param('id', EventIdPipe) id: number): Promise<StreamableFile> {
    const content = await this.participants.file(member.caller, id);
    return csvDownload(`participants-${this.wire.id('event', id)}`, content);
  }

  /** All confirmed people in the order of names, as a list to print. */
  @Get('events/:id/people/print')
  async print(@CurrentMember() member: Member, @Param('id', EventIdPipe) id: number): Promise<View> {
    const event = await this.events.show(member.caller, id);
    const people = [];
    for (let page = 1; ; page++) {
      const query = { status: 'confirmed', page: String(page), per_page: String(PEOPLE_PER_QUERY) };
      const input = await Input.of(ParticipantsQueryDto, query, 'text');
      const { items, total } = await this.participants.list(member.caller, id, input);
      people.push(...items);
      if (items.length === 0 || people.length >= total) break;
    }
    const names = people.toSorted((one, other) => compareNames(one.user.name, other.user.name));
    const title = `${translator(member.locale)('people_print_title')}: ${event.title}`;
    return view('people-print', { title, event, when: whenOf(event, member), people: names });
  }

  @Post('events/:id/people/invite')
  @CheckForm({ plan: INVITE })
  invite(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const url = this.urlOf(id, request);
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(INVITE, InviteDto, raw, member);
        const { user } = await this.participants.invite(member.caller, id, form);
        return redirectTo(`${url}#invite`, 'people_was_invited', { name: user.name });
      },
      show: (refusal) => this.page.show(id, member, { url, query, refusal, refusedForm: 'invite' }),
    });
  }

  @Post('events/:id/people/check-in')
  @CheckForm({ plan: BY_CODE })
  checkIn(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(BY_CODE, CheckInDto, raw, member);
        const { participant, alreadyCheckedIn } = await this.participants.checkInByCode(member.caller, id, form);
        const { user, checked_in_at: at } = participant;
        if (!alreadyCheckedIn || at === null) return redirectTo(this.pathOf(id), 'people_code_in', { name: user.name });
        const time = localTime(member, new Date(at));
        return redirectTo(this.pathOf(id), 'door_already', { name: user.name, time });
      },
      // `not_found` means an unknown code (JOIN-37), so the form shows this refusal.
      formCodes: ['not_found'],
      show: (refusal) => {
        const key = CODE_REFUSALS[refusal.code];
        return this.page.show(id, member, {
          url: request.url,
          query: {},
          refusal: key ? { ...refusal, text: translator(member.locale)(key) } : refusal,
          refusedForm: 'code',
        });
      },
    });
  }

  @Post(Object.keys(BUTTONS).map((button) => `events/:id/people/:slug/${button}`))
  @CheckForm()
  runButton(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const { action, message, list }: Button = BUTTONS[buttonOf(request)];
    const url = this.urlOf(id, request);
    return this.formRunner.run(member, request, {
      action: async () => {
        const name = await nameBySlug(this.users, slug, member.locale);
        await action(this.participants, member.caller, id, slug);
        return redirectTo(list ? `${url}#${list}` : url, message, { name });
      },
      show: (refusal) =>
        this.page.show(id, member, {
          url,
          query,
          refusal:
            refusal.code === 'not_participant'
              ? { ...refusal, text: translator(member.locale)('people_outdated') }
              : refusal,
        }),
    });
  }

  /** The path of the page, with the query of the request: a list of people and its page number, or a search. */
  private urlOf(id: number, { url }: FastifyRequest): string {
    return this.pathOf(id) + queryOf(url);
  }

  private pathOf(id: number): string {
    return `/events/${this.wire.id('event', id)}/people`;
  }
}

/** Returns the name of the button, which is the last part of the route's path. */
function buttonOf({ routeOptions }: FastifyRequest): keyof typeof BUTTONS {
  return (routeOptions.url ?? '').split('/').at(-1) as keyof typeof BUTTONS;
}

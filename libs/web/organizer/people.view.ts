import { Injectable } from '@nestjs/common';
import { EventsService } from '#areas/events/events.service';
import { ParticipantsQueryDto } from '#areas/participation/participants.dto';
import { ParticipantsService } from '#areas/participation/participants.service';
import type { ParticipationState } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import { Clock } from '#platform/time/clock';
import type { FormRefusal } from '../form/form-refusal';
import { newKey } from '../form/form-keys';
import { formView } from '../form/form-view';
import { plainForm, text } from '../form/plan';
import type { Member } from '../page.decorators';
import { INVITE, PeopleSearch, slugsOf } from '../people-search';
import { isOver } from '../public/event-facts';
import { neighboursOf, pageNumber } from '../listing';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';

/**
 * Maximum number of people in all lists of the page together, except the list of requests. The results of the search do
 * not count. This number limits the size of the page (PAGE-36), because the buttons next to the people are most of the
 * HTML.
 */
const PER_PAGE = 15;
/** Maximum number of requests if the page shows all lists. */
const MAX_REQUESTS = 10;
/** The states in the order of the page. People who wait for the organizer's answer or for a seat come first. */
const STATES = ['requested', 'waitlisted', 'confirmed', 'pending', 'declined', 'banned'] as const;

export const BY_CODE = plainForm(
  'check-in',
  text('code', 'people_code', { required: true, hint: 'people_code_hint', autocomplete: 'one-time-code' }),
);

/** The request for the page, and the refusal of one of its forms or buttons. */
export interface PeoplePageRequest {
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly refusal?: FormRefusal | null;
  /** The form that was refused; absent if a button or nothing was refused. */
  readonly refusedForm?: 'invite' | 'code';
}

/** Returns the largest number of people per list with which all lists together have at most `PER_PAGE` people. */
function peoplePerList(lengths: readonly number[]): number {
  let perList = PER_PAGE;
  while (lengths.reduce((sum, length) => sum + Math.min(length, perList), 0) > PER_PAGE) perList--;
  return perList;
}

/** /events/{id}/people: everybody with a relation to the event, and a search for people to invite. */
@Injectable()
export class PeopleView {
  constructor(
    private readonly events: EventsService,
    private readonly participants: ParticipantsService,
    private readonly people: PeopleSearch,
    private readonly clock: Clock,
  ) {}

  /** Throws 404 if the member does not see the event, and 403 if the member is not the organizer. */
  async show(
    eventId: number,
    member: Member,
    { url, query, refusal = null, refusedForm }: PeoplePageRequest,
  ): Promise<View> {
    const event = await this.events.show(member.caller, eventId);
    const isActive = event.status === 'active';
    const isOpen = isActive && !isOver(event, this.clock.now());
    const chosen = STATES.find((state) => state === query.status) ?? null;
    const page = chosen ? pageNumber(query.page) : 1;
    const lists = await Promise.all(
      STATES.filter((state) => chosen === null || state === chosen).map((state) =>
        this.list(eventId, member, state, page),
      ),
    );
    const perList = peoplePerList(
      lists.filter(({ state }) => state !== 'requested').map(({ people }) => people.length),
    );
    const shownOf = (state: ParticipationState) => (state === 'requested' && !chosen ? MAX_REQUESTS : perList);
    const search = await this.people.find(member, query.q);
    // People with a relation to the event cannot be invited (JOIN-27), so they come last among the results.
    const states = search.found && (await this.participants.statesAmong(member.caller, eventId, slugsOf(search.found)));
    const rank = ({ slug }: { slug: string }) => (states?.has(slug) ? 1 : 0);
    const found = search.found?.toSorted((one, other) => rank(one) - rank(other));
    const say = translator(member.locale);
    return view(
      'people',
      {
        ...partOf(event.title, say('people_of_event')),
        about: { type: 'event', id: eventId },
        event,
        // The actions that the API accepts in the present state of the event (JOIN-27, JOIN-29, JOIN-33).
        mayPromote: isOpen && event.ticket_price_credits === 0,
        mayInvite: isOpen,
        mayCheckIn: isActive,
        chosen,
        // The buttons add this query to their address, so that the same list is shown again afterwards.
        listQuery: chosen && lists[0] ? `?status=${chosen}&page=${lists[0].page.slice.page}` : '',
        lists: lists
          .filter(({ state, total }) => total > 0 || state === chosen || state === 'confirmed')
          .map((list) => {
            const shown = shownOf(list.state);
            return { ...list, people: list.people.slice(0, shown), hasMore: list.total > shown };
          }),
        q: typeof query.q === 'string' ? query.q : '',
        ...search,
        found,
        states,
        newKey,
        invite: formView(INVITE, member, { key: newKey(), refusal: refusedForm === 'invite' ? refusal : null }),
        byCode: formView(BY_CODE, member, { refusal: refusedForm === 'code' ? refusal : null }),
        refusedForm: refusedForm ?? null,
        refused: refusedForm === undefined ? (refusal?.text ?? null) : null,
        neighbours: chosen && lists[0] ? neighboursOf(url, lists[0].page) : [],
      },
      refusal?.status ?? search.status,
    ).withHeaders(search.headers);
  }

  private async list(eventId: number, { caller }: Member, state: ParticipationState, requestedPage: number) {
    const read = async (number: number) => {
      const query = { status: state, page: String(number), per_page: String(PER_PAGE) };
      return this.participants.list(caller, eventId, await Input.of(ParticipantsQueryDto, query, 'text'));
    };
    const requested = await read(requestedPage);
    // If the requested page does not exist (any more), the last page is shown.
    const last = Math.max(1, Math.ceil(requested.total / PER_PAGE));
    const page = requestedPage > last ? await read(last) : requested;
    const slugs = page.items.map(({ user }) => user.slug);
    const isWaitlist = state === 'waitlisted' && slugs.length > 0;
    const positions = isWaitlist ? await this.participants.waitlistPositions(caller, eventId, slugs) : null;
    const hasArrivals = page.items.some((one) => one.checked_in_at !== null);
    const paidArrivals = hasArrivals ? await this.participants.paidAndCheckedIn(caller, eventId, slugs) : null;
    const people = page.items.map((one) => ({
      ...one,
      waitlistPosition: positions?.get(one.user.slug) ?? null,
      // The API does not undo the check-in of a person who paid credits (JOIN-35).
      mayUndo: one.checked_in_at !== null && !paidArrivals?.has(one.user.slug),
    }));
    return { state, page, total: page.total, people };
  }
}

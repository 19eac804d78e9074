import { Injectable } from '@nestjs/common';
import type { EventState } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { ParticipantsQueryDto } from '#areas/participation/participants.dto';
import { ParticipantsService } from '#areas/participation/participants.service';
import { Input } from '#platform/http/input';
import { qrSvg } from '#platform/text/qr-code';
import { WireFormat } from '#platform/http/wire-format';
import { textOfHtml } from '#platform/text/html';
import { parseUrl } from '#platform/text/url';
import { dateTile, localDeadline } from '../local-time';
import { plainForm, text } from '../form/plan';
import type { Reader } from '../readers';
import { translator, type TextKey, type Translate } from '../texts';
import { CALENDAR_TYPE, view, type Social, type View } from '../view';
import { CARD } from '../cards/card-content';
import { oembedLink } from '../embed/frames';
import { keyFieldIn, newKey } from '../form/form-keys';
import { EventActionsReader, type RefusedForms } from './event-actions';
import { EventPageSections } from './event-page-sections';
import { Going } from './going';
import { googleEntry } from '../calendars/calendar-links';
import { attendance, coverOf, drawingAddress, priceOf, whenOf, whereOf } from './event-facts';
import { excerptOf } from './excerpt';
import { headingsBelow } from './headings';
import { joiningForms, MISSING_IN_PROFILE, joinStatusKeyOf } from './joining-words';
import { eventJsonLd } from './json-ld';
import { FIRST_PAGES, type ListPages } from '../listing';
import { VisibleEvents } from './visible-events';
import { VisibleGroups } from '../groups/visible-groups';
import { failedFormOf } from '../talk/talk';

/** The fields of the form to join. The HTML of the form is in the view, which never shows the typed password again. */
const JOIN_FORM = plainForm('join', text('password', 'join_password'), text('ticket_code', 'ticket_code'));

/** The page of an event, for readers who may see it (PAGE-23). */
@Injectable()
export class EventView {
  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly groups: VisibleGroups,
    private readonly sections: EventPageSections,
    private readonly actions: EventActionsReader,
    private readonly going: Going,
    private readonly participants: ParticipantsService,
    private readonly wire: WireFormat,
  ) {}

  /** Throws 404 if the event does not exist or is hidden from the reader, and 403 if the reader is banned from it. */
  async show(hashid: string, reader: Reader, forms: RefusedForms = {}, pages: ListPages = FIRST_PAGES): Promise<View> {
    const { relation, state } = await this.visibleEvents.stateFor(hashid, reader);
    const { event, isPublic, isOver } = state;
    const say = translator(reader.locale);
    const joinStatusKey = joinStatusKeyOf(state, reader);
    const when = whenOf(event, reader);
    const isCancelled = event.status === 'cancelled';
    const checkInCode = isCancelled ? null : (event.viewer.check_in_code ?? null);
    const [sections, actions, group, code, going, requests] = await Promise.all([
      this.sections.sectionsOf(event, relation, reader, pages),
      this.actions.actionsOf(state, relation, reader, forms),
      this.groups.groupOrNull(event.group, reader),
      checkInCode === null ? null : codeOf(checkInCode),
      this.going.peopleOf(event, relation.eventId, reader),
      this.waitingRequests(state, relation.eventId, reader),
    ]);
    return view(
      'event',
      {
        ...sections,
        actions,
        going,
        requests,
        title: event.title,
        about: { type: 'event', id: relation.eventId },
        wide: true,
        event,
        state,
        when,
        where: whereOf(event),
        cover: coverOf(event),
        dateTile: dateTile(reader, new Date(event.starts_at)),
        group,
        code,
        drawing: drawingAddress(event.id, this.wire),
        price: priceOf(event, reader.locale),
        ticketSite: parseUrl(event.ticket_url ?? '')?.host ?? event.ticket_url,
        people: [attendance(event, isOver, say), heldSeatsOf(state, say)].filter(Boolean).join(' · '),
        audience: audienceOf(event, say),
        description: event.description && headingsBelow(event.description, 2),
        // Null for past and cancelled events. The page then shows no calendar links (PAGE-37).
        googleCalendar: isOver || isCancelled ? null : googleEntry(event),
        // The key of the text about the reader's relation to the event. The page begins with this text if
        // `startsWithStanding` is true (PAGE-104).
        joinStatusKey,
        startsWithStanding: joinStatusKey !== null && hasParticipation(state),
        isGoing: !isCancelled && hasParticipation(state) && event.viewer.participation === 'confirmed',
        signIn: reader.user ? null : signInKey(joinStatusKey, event.join_mode === 'request'),
        waitingText: isCancelled ? null : waitingOf(event, reader, say),
        isProfileIncomplete: MISSING_IN_PROFILE.includes(joinStatusKey),
        forms: joiningForms(state),
        key: keyFieldIn(forms.join?.raw ?? {})?.[1] ?? newKey()[1],
        failed: failedFormOf(JOIN_FORM, forms.join ?? null, reader),
        alternates: [
          { type: CALENDAR_TYPE, href: `${event.url}.ics`, title: event.title },
          ...(isPublic ? [oembedLink(event.url, event.title, this.wire)] : []),
        ],
        // Other sites and search engines get public events only (PAGE-31).
        ...(isPublic && {
          social: socialOf(event, when, this.wire),
          jsonLd: eventJsonLd(state, this.wire.page(`/people/${event.organizer.slug}`)),
        }),
      },
      forms.join?.status ?? forms.comment?.status ?? forms.photos?.status ?? 200,
    );
  }

  /** The number of requests that wait for the organizer's answer. 0 for other readers. */
  private async waitingRequests({ event, isOver }: EventState, eventId: number, { caller }: Reader): Promise<number> {
    const { viewer, status } = event;
    if (!viewer.is_organizer || status === 'cancelled' || isOver) return 0;
    const query = await Input.of(ParticipantsQueryDto, { status: 'requested', per_page: '1' }, 'text');
    return (await this.participants.list(caller, eventId, query)).total;
  }
}

/**
 * Whether the reader takes part, waits, is invited or has requested to join. False for the organizer, and for an event
 * that is over.
 */
function hasParticipation({ event: { viewer }, isOver }: EventState): boolean {
  const { participation } = viewer;
  return !isOver && !viewer.is_organizer && participation !== null && participation !== 'declined';
}

/**
 * The key of the text of the sign-in link for a visitor. Null if the visitor, once signed in, could join neither the
 * event nor its waitlist.
 */
function signInKey(joinStatusKey: TextKey | null, needsApproval: boolean): TextKey | null {
  if (joinStatusKey === null) return needsApproval ? 'sign_in_to_request' : 'sign_in_to_join';
  return joinStatusKey === 'stand_full_wait' ? 'sign_in_to_wait' : null;
}

/**
 * Text with the number of free seats that only the waitlist can get. Null if there are no such seats, if the event is
 * past or cancelled, or if one of these seats is offered to the reader.
 */
function heldSeatsOf({ event, isFull, isOver }: EventState, say: Translate): string | null {
  const { status, viewer, current_participants: count, max_participants: max } = event;
  if (!isFull || isOver || status === 'cancelled' || viewer.offer || max === null || count >= max) return null;
  return say('seats_held', { count: max - count });
}

/**
 * Text with the time until which a seat is offered to the reader, or with the reader's position on the waitlist. Null
 * if the reader has neither.
 */
function waitingOf({ viewer }: DiscoverEventResource, reader: Reader, say: Translate): string | null {
  const { offer, waitlist_position: position } = viewer;
  if (offer) return say('offer_until', { until: localDeadline(reader, new Date(offer.expires_at)) });
  return position === null ? null : say('waitlist_position', { position });
}

/** The code that a participant shows at the door (DOOR-2). */
async function codeOf(letters: string): Promise<{ letters: string; picture: string }> {
  return { letters, picture: await qrSvg(letters) };
}

function socialOf(event: DiscoverEventResource, when: string, wire: WireFormat): Social {
  return {
    title: event.title,
    type: 'website',
    url: event.url,
    image: coverOf(event) ?? {
      url: wire.page(`/events/${event.id}/card.png`),
      ...CARD,
    },
    description: excerptOf(
      [when, event.location_name, textOfHtml(event.description ?? '')].filter(Boolean).join(' · '),
    ),
  };
}

/** Text about the age and gender restrictions; null if the event is for everyone. */
function audienceOf(
  { age_min: min, age_max: max, gender_restriction: gender }: DiscoverEventResource,
  say: Translate,
): string | null {
  return [ageText(min, max, say), gender && say(`only_${gender}`)].filter(Boolean).join(', ') || null;
}

function ageText(min: number | null, max: number | null, say: Translate): string | null {
  if (min !== null && max !== null) return say('age_between', { min, max });
  if (min !== null) return say('age_from', { min });
  return max === null ? null : say('age_to', { max });
}

import type { RefusalCode } from '#contract/refusals';
import { Refusal } from '#platform/http/refusal';
import type { Event } from '../../events/event.entity';
import type { Participation } from '../record/participation.entity';
import { refusalOf, type Trigger } from '../record/participation.transitions';

/** An organizer about to do something with one participation of their event. */
interface Deed {
  readonly event: Event;
  readonly participation: Participation;
  readonly trigger: Trigger;
  readonly now: Date;
}

type OrganizerRule = (deed: Deed) => RefusalCode | null;

const hasMove: OrganizerRule = ({ trigger, participation }) => refusalOf(trigger, participation.state);
const isOpen: OrganizerRule = ({ event, now }) => (event.isClosed(now) ? 'conflict' : null);
const isNotCancelled: OrganizerRule = ({ event }) => (event.isCancelled ? 'conflict' : null);
const isFree: OrganizerRule = ({ event }) => (event.ticketPriceCredits > 0 ? 'paid_ticket_unsupported' : null);
const hasSeat: OrganizerRule = ({ event }) => (event.isFull ? 'event_full' : null);
/** Organizers have no participation in their own event, not even as banned. */
const isSomebodyElse: OrganizerRule = ({ event, participation }) => (event.organizerId === participation.userId ? 'conflict' : null);

/** The refusals of what organizers do, each list in the order in which a client meets them (JOIN-27, JOIN-29, JOIN-33). */
const ORGANIZER_RULES = {
  invite: [hasMove, isOpen],
  promote: [isFree, hasMove, isOpen, hasSeat],
  remove: [hasMove],
  ban: [isSomebodyElse, hasMove],
  check_in: [isNotCancelled, hasMove],
  undo_check_in: [hasMove],
} as const satisfies Partial<Record<Trigger, readonly OrganizerRule[]>>;

export type OrganizerTrigger = keyof typeof ORGANIZER_RULES;

/** Throws the first refusal that applies; the event is locked by the caller. */
export function refuseOrganizer(trigger: OrganizerTrigger, event: Event, participation: Participation, now: Date): void {
  for (const rule of ORGANIZER_RULES[trigger]) {
    const code = rule({ event, participation, trigger, now });
    if (code !== null) throw new Refusal(code);
  }
}

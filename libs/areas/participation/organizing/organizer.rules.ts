import type { RefusalCode } from '#contract/refusals';
import { Refusal } from '#platform/http/refusal';
import type { Event } from '../../events/event.entity';
import { isOrganizer } from '../../events/event-relation';
import type { Participation } from '../record/participation.entity';
import { refusalOf, refusalsOf, type Trigger } from '../record/participation.transitions';

/** An organizer's action on one participation of the event. */
interface OrganizerAction {
  readonly event: Event;
  readonly participation: Participation;
  readonly trigger: Trigger;
  readonly now: Date;
}

/** A rule has the name of a condition. It returns the code of the refusal, or null if the condition is met. */
interface OrganizerRule {
  (action: OrganizerAction): RefusalCode | null;
  /** The code with which the rule refuses; absent for `hasTransition`, whose codes are in the transition table. */
  readonly code?: RefusalCode;
}

const refuseWhen = (code: RefusalCode, when: (action: OrganizerAction) => boolean): OrganizerRule =>
  Object.assign((action: OrganizerAction) => (when(action) ? code : null), { code });

/** Refuses with the code that the transition table contains for the action and the state of the participation. */
const hasTransition: OrganizerRule = ({ trigger, participation }) => refusalOf(trigger, participation.state);
const isOpen = refuseWhen('conflict', ({ event, now }) => event.isClosed(now));
const isNotCancelled = refuseWhen('conflict', ({ event }) => event.isCancelled);
const costsNoCredits = refuseWhen('paid_ticket_unsupported', ({ event }) => event.ticketPriceCredits > 0);
/** A person with an offer needs no free seat, because the offer reserves a seat. */
const hasSeat = refuseWhen(
  'event_full',
  ({ event, participation }) => event.isFull && participation.state !== 'offered',
);
/** Organizers cannot ban themselves. Without this rule they could, because their participation state is `none`. */
const isSomebodyElse = refuseWhen('conflict', ({ event, participation }) =>
  isOrganizer({ organizer_id: event.organizerId }, participation),
);

/** The rules of each action of an organizer, in the order in which they are checked (JOIN-27, JOIN-29, JOIN-33). */
const ORGANIZER_RULES = {
  invite: [hasTransition, isOpen],
  promote: [costsNoCredits, hasTransition, isOpen, hasSeat],
  remove: [hasTransition],
  ban: [isSomebodyElse, hasTransition],
  check_in: [isNotCancelled, hasTransition],
  undo_check_in: [hasTransition],
} as const satisfies Partial<Record<Trigger, readonly OrganizerRule[]>>;

export type OrganizerTrigger = keyof typeof ORGANIZER_RULES;

/** All codes with which these actions can be refused. */
export function organizerCodes(...triggers: readonly OrganizerTrigger[]): RefusalCode[] {
  const rules: readonly OrganizerRule[] = triggers.flatMap((trigger) => ORGANIZER_RULES[trigger]);
  return [...new Set([...refusalsOf(...triggers), ...rules.flatMap(({ code }) => code ?? [])])];
}

/** Throws the first refusal among the rules of the action, if any. The calling code has locked the event. */
export function checkOrganizerAction(
  trigger: OrganizerTrigger,
  event: Event,
  participation: Participation,
  now: Date,
): void {
  for (const rule of ORGANIZER_RULES[trigger]) {
    const code = rule({ event, participation, trigger, now });
    if (code !== null) throw new Refusal(code);
  }
}

import type { RefusalCode } from '#contract/refusals';
import { Refusal } from '#platform/http/refusal';
import { ageOn, pragueDay } from '#platform/time/prague';
import { isClosed, isOrganizer, isUnrelatedToPrivateEvent, type PersonAtEvent } from '../../events/event-relation';
import type { Caller } from '../../identity/caller.reader';
import type { JoinFacts, EventToJoinRow, ViewerEventRow } from '../record/viewer-event.row';
import { refusalOf, refusalsOf, type State, type Trigger } from '../record/participation.transitions';
import { isLapsed, seatsForOthers } from '../waitlist/seats.rules';
import type { JoinDto } from '../join.dto';

/** Input of the rules: an event as a viewer sees it, the viewer (`caller`), and the time. */
export interface ViewerContext {
  readonly event: JoinFacts;
  readonly caller: Caller;
  readonly now: Date;
}

/** Like `ViewerContext`, with more columns of the event. Joining, waiting and leaving need these columns. */
export interface JoinContext extends ViewerContext {
  readonly event: EventToJoinRow;
  readonly eventId: number;
}

/** Checks of the client's input. They are called in the order of the refusals, and throw if the input is refused. */
interface JoinChecks {
  /** Throws 422 `validation_failed`. */
  readonly body: () => JoinDto;
  /** Throws 422 `wrong_password`, or 429 `too_many_requests` after too many wrong passwords. */
  readonly password: (context: JoinContext, password: string | null) => Promise<void>;
  /** Throws 422 `invalid_ticket_code`, or marks the valid code as used. */
  readonly ticket: (context: JoinContext, code: string | null) => Promise<void>;
}

/** A rule of admission. Returns the code of the refusal, or null if the rule does not refuse. */
export interface AdmissionRule {
  (context: ViewerContext): RefusalCode | null;
  /** All codes that the rule can return. */
  readonly codes: readonly RefusalCode[];
}

/**
 * The state for the transition table. The participation must not contain an expired offer: the calling code has ended
 * such offers, or `withoutExpiredOffer` has removed them.
 */
export const stateOf = ({ event }: ViewerContext): State =>
  event.participation === 'waitlisted' && event.offer_expires_at !== null ? 'offered' : (event.participation ?? 'none');

/** The trigger of the transition table for POST join at this event. */
const joinTrigger = ({ event }: ViewerContext): Trigger => (event.join_mode === 'request' ? 'request' : 'join');

/** The viewer's id and participation, as the functions of event-relation.ts need them. */
export const viewerAtEvent = ({ event, caller }: ViewerContext): PersonAtEvent => ({
  userId: caller.id,
  participation: event.participation,
});

const withCodes = (
  codes: readonly RefusalCode[],
  rule: (context: ViewerContext) => RefusalCode | null,
): AdmissionRule => Object.assign(rule, { codes });

const refuseWhen = (code: RefusalCode, when: (context: ViewerContext) => boolean): AdmissionRule =>
  withCodes([code], (context) => (when(context) ? code : null));

/**
 * Refuses with the code that the transition table has for the trigger and the viewer's state, for example if the viewer
 * already participates or waits.
 */
const refuseWithoutTransition = (
  triggers: readonly Trigger[],
  triggerOf: (context: ViewerContext) => Trigger,
): AdmissionRule => withCodes(refusalsOf(...triggers), (context) => refusalOf(triggerOf(context), stateOf(context)));

/**
 * These refusals come first. So banned and declined people, and people without a relation to a private event, get no
 * further information about the event.
 */
const RELATION_RULES: readonly AdmissionRule[] = [
  refuseWhen('banned', ({ event }) => event.participation === 'banned'),
  refuseWhen('request_declined', ({ event }) => event.participation === 'declined'),
  refuseWhen('cannot_join', (context) => isUnrelatedToPrivateEvent(context.event, viewerAtEvent(context))),
  refuseWhen('cannot_join', (context) => isOrganizer(context.event, viewerAtEvent(context))),
  refuseWhen('paid_ticket_unsupported', ({ event }) => event.ticket_price_credits > 0),
];

const ELIGIBILITY_RULES: readonly AdmissionRule[] = [
  refuseWhen('cannot_join', ({ event, now }) => isClosed(event, now)),
  refuseWhen('cannot_join', ({ event }) => event.blocked),
  refuseWhen('cannot_join', (context) => !hasAllowedAge(context) || !hasAllowedGender(context)),
];

/**
 * The refusals of POST join that follow from the event, the person or both, in their order. `viewer.can_join` uses this
 * list; `refuseJoin` has the refusals before and after this list.
 */
export const ADMISSION: readonly AdmissionRule[] = [
  ...RELATION_RULES,
  refuseWithoutTransition(['join', 'request'], joinTrigger),
  ...ELIGIBILITY_RULES,
  // A person with an offer needs no free seat, because the offer reserves a seat.
  refuseWhen('event_full', (context) => stateOf(context) !== 'offered' && isFullForOthers(context)),
  refuseWhen(
    'request_limit_reached',
    ({ event }) => event.join_mode === 'request' && event.participation === null && event.requests_full,
  ),
];

/** Whether no seat is left for people who are not on the waitlist (JOIN-12, JOIN-61). */
function isFullForOthers({ event, now }: ViewerContext): boolean {
  return seatsForOthers(event, now) <= 0;
}

/** The refusals of POST waitlist that follow from the event, the person or both, in their order. */
export const WAITLIST_ADMISSION: readonly AdmissionRule[] = [
  ...RELATION_RULES,
  refuseWithoutTransition(['waitlist'], () => 'waitlist'),
  ...ELIGIBILITY_RULES,
  refuseWhen('cannot_join', (context) => context.event.join_mode === 'request' || !isFullForOthers(context)),
];

/** All codes that `rules` can return. */
export function codesOf(rules: readonly AdmissionRule[]): RefusalCode[] {
  return [...new Set(rules.flatMap(({ codes }) => codes))];
}

/** The caller, the event's id and the time. */
interface JoinAttempt {
  readonly eventId: number;
  readonly caller: Caller;
  readonly now: Date;
}

/**
 * Throws the first refusal of POST join that applies (JOIN-2); otherwise returns the context. `event` is undefined if
 * the event does not exist.
 */
export async function refuseJoin(
  event: EventToJoinRow | undefined,
  attempt: JoinAttempt,
  check: JoinChecks,
): Promise<JoinContext> {
  const context = refuseUnknownAndBanned(event, attempt);
  const { password = null, ticket_code = null } = check.body();
  refuseFirst(ADMISSION, context);
  // An invitation or an offer replaces password and ticket (JOIN-18, JOIN-57).
  if (context.event.participation !== null) return context;
  if (context.event.join_mode === 'password') await check.password(context, password);
  if (context.event.join_mode === 'tickets') await check.ticket(context, ticket_code);
  return context;
}

/**
 * For join, waitlist and leave: throws 404 `not_found` if the event does not exist, and 403 `banned` if the caller is
 * banned from it.
 */
export function refuseUnknownAndBanned(event: EventToJoinRow | undefined, attempt: JoinAttempt): JoinContext {
  if (!event) throw new Refusal('not_found');
  if (event.participation === 'banned') throw new Refusal('banned');
  return { event, ...attempt };
}

/** Throws the first refusal that applies. */
export function refuseFirst(rules: readonly AdmissionRule[], context: ViewerContext): void {
  for (const rule of rules) {
    const code = rule(context);
    if (code !== null) throw new Refusal(code);
  }
}

/** Whether POST join can succeed; the client's input (password, ticket code) is not checked. */
export function canJoin(event: JoinFacts, caller: Caller, now: Date): boolean {
  const context = withoutExpiredOffer({ event, caller, now });
  return ADMISSION.every((rule) => rule(context) === null);
}

/** Whether POST waitlist can succeed; the maximum length of the waitlist is not checked. */
export function canWait(event: ViewerEventRow, caller: Caller, now: Date): boolean {
  const context = withoutExpiredOffer({ event, caller, now });
  return WAITLIST_ADMISSION.every((rule) => rule(context) === null);
}

/** Whether DELETE join can succeed. */
export function canLeave(event: ViewerEventRow, now: Date): boolean {
  return !isLapsed(event, now) && refusalOf('leave', event.participation ?? 'none') === null;
}

/**
 * If the person's offer has expired, returns the context of a person without a relation to the event. After the offer
 * has expired, the person is not on the waitlist any more, although the row is still stored.
 */
function withoutExpiredOffer(context: ViewerContext): ViewerContext {
  if (!isLapsed(context.event, context.now)) return context;
  return { ...context, event: { ...context.event, participation: null, offer_expires_at: null } };
}

/**
 * Whether the person's age is within the limits of the event. The age is computed for the day on which the event
 * starts, in Prague time. If the event has a limit, a person without a date of birth is refused.
 */
function hasAllowedAge({ event, caller }: ViewerContext): boolean {
  if (event.age_min === null && event.age_max === null) return true;
  if (caller.birthDate === null) return false;
  const age = ageOn(caller.birthDate, pragueDay(event.starts_at));
  return age >= (event.age_min ?? 0) && age <= (event.age_max ?? Infinity);
}

function hasAllowedGender({ event, caller }: ViewerContext): boolean {
  return event.gender_restriction === null || event.gender_restriction === caller.gender;
}

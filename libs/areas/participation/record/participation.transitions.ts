import type { RefusalCode } from '#contract/refusals';
import type { ParticipationState } from '#contract/vocabulary';

/**
 * A state in the transition table. `none`: no relation (null in the API, no row in the database). `offered`: a
 * waitlisted person with a stored offer of a seat, which may have expired.
 */
export type State = ParticipationState | 'none' | 'offered';

/**
 * Triggers that the service applies to a person on the waitlist when a seat is free or an offer ends. `offer` offers
 * the seat to the person, and `pass_on` confirms the person at once. `lapse` removes the person from the waitlist,
 * because the person's offer has expired. `withdraw` ends an offer, and the person stays on the waitlist.
 */
export type SeatTrigger = 'offer' | 'pass_on' | 'lapse' | 'withdraw';

/** An action on a participation. `request` is POST join on an event with join_mode=request. */
export type Trigger =
  | 'join'
  | 'request'
  | 'waitlist'
  | 'leave'
  | 'invite'
  | 'promote'
  | 'remove'
  | 'ban'
  | 'check_in'
  | 'undo_check_in'
  | SeatTrigger;

/** Triggers that can change the state. A check-in and its undo leave the state `confirmed` unchanged. */
export type MovingTrigger = Exclude<Trigger, 'check_in' | 'undo_check_in'>;

/** The new state, or the refusal if the trigger does not apply. */
export type Cell = { readonly to: State } | { readonly refuse: RefusalCode };

const to = (state: State): Cell => ({ to: state });
const refuse = (code: RefusalCode): Cell => ({ refuse: code });

/** The refusals for people who want to join, wait or send a request, but already have a relation to the event. */
const ALREADY_RELATED = {
  confirmed: refuse('already_participant'),
  waitlisted: refuse('already_waitlisted'),
  offered: refuse('already_waitlisted'),
  requested: refuse('already_requested'),
  declined: refuse('request_declined'),
  banned: refuse('banned'),
} as const;

const CONFIRMED_ONLY = {
  none: refuse('not_participant'),
  pending: refuse('not_participant'),
  waitlisted: refuse('not_participant'),
  offered: refuse('not_participant'),
  requested: refuse('not_participant'),
  declined: refuse('not_participant'),
  banned: refuse('not_participant'),
  confirmed: to('confirmed'),
} as const;

/** The service applies a `SeatTrigger` only to waitlisted people, so these refusals are never returned. */
const NOT_WAITING = {
  none: refuse('not_participant'),
  pending: refuse('not_participant'),
  requested: refuse('not_participant'),
  confirmed: refuse('not_participant'),
  declined: refuse('not_participant'),
  banned: refuse('not_participant'),
} as const;

/**
 * The transition table (JOIN-43). Conditions on the event and the person are in admission.rules.ts and
 * organizer.rules.ts.
 */
export const TRANSITIONS: Record<Trigger, Record<State, Cell>> = {
  /** A person with an offer takes the offered seat. */
  join: { none: to('confirmed'), pending: to('confirmed'), ...ALREADY_RELATED, offered: to('confirmed') },
  /** An invitation replaces the organizer's approval. */
  request: { none: to('requested'), pending: to('confirmed'), ...ALREADY_RELATED },
  waitlist: { none: to('waitlisted'), pending: refuse('already_invited'), ...ALREADY_RELATED },
  leave: {
    none: refuse('not_participant'),
    pending: to('none'),
    waitlisted: to('none'),
    offered: to('none'),
    requested: to('none'),
    confirmed: to('none'),
    declined: refuse('not_participant'),
    banned: refuse('banned'),
  },
  invite: {
    none: to('pending'),
    pending: refuse('already_invited'),
    waitlisted: refuse('already_waitlisted'),
    offered: refuse('already_waitlisted'),
    requested: refuse('already_requested'),
    confirmed: refuse('already_participant'),
    declined: refuse('conflict'),
    banned: refuse('conflict'),
  },
  promote: {
    none: refuse('not_participant'),
    pending: refuse('not_participant'),
    waitlisted: to('confirmed'),
    offered: to('confirmed'),
    requested: to('confirmed'),
    confirmed: refuse('not_participant'),
    declined: refuse('not_participant'),
    banned: refuse('not_participant'),
  },
  remove: {
    none: refuse('not_participant'),
    pending: to('none'),
    waitlisted: to('none'),
    offered: to('none'),
    /** The row stays with the status `declined`; a second removal deletes the row and so allows a new request. */
    requested: to('declined'),
    confirmed: to('none'),
    declined: to('none'),
    banned: to('none'),
  },
  ban: {
    none: to('banned'),
    pending: to('banned'),
    waitlisted: to('banned'),
    offered: to('banned'),
    requested: to('banned'),
    confirmed: to('banned'),
    declined: to('banned'),
    banned: to('banned'),
  },
  check_in: CONFIRMED_ONLY,
  undo_check_in: CONFIRMED_ONLY,
  offer: { ...NOT_WAITING, waitlisted: to('offered'), offered: refuse('already_waitlisted') },
  pass_on: { ...NOT_WAITING, waitlisted: to('confirmed'), offered: to('confirmed') },
  lapse: { ...NOT_WAITING, waitlisted: refuse('not_participant'), offered: to('none') },
  withdraw: { ...NOT_WAITING, waitlisted: refuse('not_participant'), offered: to('waitlisted') },
};

/** The refusal, or null if the trigger applies. */
export function refusalOf(trigger: Trigger, state: State): RefusalCode | null {
  const cell = TRANSITIONS[trigger][state];
  return 'refuse' in cell ? cell.refuse : null;
}

/** The refusals of these triggers in all states, each refusal once. */
export function refusalsOf(...triggers: readonly Trigger[]): RefusalCode[] {
  const cells = triggers.flatMap((trigger) => Object.values(TRANSITIONS[trigger]));
  return [...new Set(cells.flatMap((cell) => ('refuse' in cell ? [cell.refuse] : [])))];
}

/** The new state. Throws if the trigger does not apply. */
export function targetOf(trigger: Trigger, state: State): State {
  const cell = TRANSITIONS[trigger][state];
  if ('refuse' in cell)
    throw new Error(`${trigger} does not apply in the state ${state}: the rules should have refused it`);
  return cell.to;
}

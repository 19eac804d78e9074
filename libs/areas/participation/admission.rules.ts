import type { RefusalCode } from '#contract/refusals';
import { ageOn, pragueDay } from '#platform/time/prague';
import type { Caller } from '../identity/caller.reader';
import type { ViewerEventRow } from './event-for-viewer.resource';

/** Somebody before the door of an event. */
export interface Arrival {
  readonly event: ViewerEventRow;
  readonly caller: Caller;
  readonly now: Date;
}

interface AdmissionRule {
  readonly refuse: RefusalCode;
  readonly when: (arrival: Arrival) => boolean;
}

const isOrganizer = ({ event, caller }: Arrival): boolean => Number(event.organizer_id) === caller.id;

/** The refusals of POST join in the order in which a client meets them (api-spec, "Specific codes"; decisions, section 4). */
export const ADMISSION: readonly AdmissionRule[] = [
  { refuse: 'banned', when: ({ event }) => event.participation === 'banned' },
  { refuse: 'request_declined', when: ({ event }) => event.participation === 'declined' },
  { refuse: 'cannot_join', when: (arrival) => !arrival.event.is_public && arrival.event.participation === null && !isOrganizer(arrival) },
  { refuse: 'cannot_join', when: isOrganizer },
  { refuse: 'paid_ticket_unsupported', when: ({ event }) => event.ticket_price_credits > 0 },
  { refuse: 'already_participant', when: ({ event }) => event.participation === 'confirmed' },
  { refuse: 'already_waitlisted', when: ({ event }) => event.participation === 'waitlisted' },
  { refuse: 'already_requested', when: ({ event }) => event.participation === 'requested' },
  { refuse: 'cannot_join', when: ({ event, now }) => event.status === 'cancelled' || event.over_at <= now },
  { refuse: 'cannot_join', when: ({ event }) => event.blocked },
  { refuse: 'cannot_join', when: (arrival) => !isOldEnough(arrival) || !hasGender(arrival) },
  { refuse: 'event_full', when: ({ event }) => event.max_participants !== null && event.confirmed_count + 1 >= event.max_participants },
];

/** Whether POST join could succeed: nothing refuses but what the client still has to bring (password, ticket code). */
export function canJoin(event: ViewerEventRow, caller: Caller, now: Date): boolean {
  return !ADMISSION.some(({ when }) => when({ event, caller, now }));
}

/** Age on the Prague day of the start; a profile that does not say does not fit. */
function isOldEnough({ event, caller }: Arrival): boolean {
  if (event.age_min === null && event.age_max === null) return true;
  if (caller.birthDate === null) return false;
  const age = ageOn(caller.birthDate, pragueDay(event.starts_at));
  return age >= (event.age_min ?? 0) && age <= (event.age_max ?? Infinity);
}

function hasGender({ event, caller }: Arrival): boolean {
  return event.gender_restriction === null || event.gender_restriction === caller.gender;
}


import type { EventRelation, EventScope, ParticipationState } from '#contract/vocabulary';

/**
 * For each relation to other people's events (EVT-25): the participation state, and the default scope. Without a
 * default scope, the list contains events of all times (EVT-26).
 */
export const RELATIONS: Record<
  Exclude<EventRelation, 'organizing'>,
  { state: ParticipationState; scope?: EventScope }
> = {
  joined: { state: 'confirmed' },
  invited: { state: 'pending', scope: 'upcoming' },
  waitlisted: { state: 'waitlisted', scope: 'upcoming' },
  requested: { state: 'requested', scope: 'upcoming' },
};

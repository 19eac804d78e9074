import type { EventRelation, EventScope, ParticipationState } from '#contract/vocabulary';

/** The participation status and the default scope for each relation to other people's events (EVT-25, EVT-26). */
export const RELATIONS: Record<
  Exclude<EventRelation, 'organizing'>,
  { state: ParticipationState; scope?: EventScope }
> = {
  joined: { state: 'confirmed' },
  invited: { state: 'pending', scope: 'upcoming' },
  waitlisted: { state: 'waitlisted', scope: 'upcoming' },
  requested: { state: 'requested', scope: 'upcoming' },
};

import type { ParticipationState } from '#contract/vocabulary';
import type { EventRow } from '../../events/event.resource';
import type { PersonRow } from '../../identity/person.resource';

/** What SHARED_COLUMNS (event-for-viewer.resource.ts) select. */
export type SharedEventRow = Omit<EventRow, 'group_id'> & PersonRow<'organizer'>;

/** What VIEWER_COLUMNS (the same) select. */
export interface ViewerEventRow extends SharedEventRow, Pick<EventRow, 'group_id'> {
  participation: ParticipationState | null;
  check_in_code: string | null;
  requests_full: boolean;
  blocked: boolean;
  /** Kilometres; only from queries that know where the viewer is. */
  distance_km?: number | null;
}

/** What decides on whether somebody may join. */
export type AdmissionFacts = Pick<
  ViewerEventRow,
  | 'organizer_id'
  | 'is_public'
  | 'status'
  | 'starts_at'
  | 'over_at'
  | 'join_mode'
  | 'max_participants'
  | 'confirmed_count'
  | 'ticket_price_credits'
  | 'age_min'
  | 'age_max'
  | 'gender_restriction'
  | 'participation'
  | 'requests_full'
  | 'blocked'
>;

/** With what deciding on a join needs and no answer shows: what SELECT_EVENT_TO_JOIN (participation.query.ts) selects. */
export interface EventToJoinRow extends ViewerEventRow {
  join_password_sealed: string | null;
  /** Another number: the organizer has changed something since. */
  revision: number;
}

import type { ParticipationState } from '#contract/vocabulary';
import type { EventRow } from '../../events/event.resource';
import type { PersonRow } from '../../identity/person.resource';

/** What VIEWER_COLUMNS (event-for-viewer.resource.ts) select. */
export interface ViewerEventRow extends EventRow, PersonRow<'organizer'> {
  participation: ParticipationState | null;
  check_in_code: string | null;
  requests_full: boolean;
  blocked: boolean;
  /** Kilometres; only from queries that know where the viewer is. */
  distance_km?: number | null;
  /** VIEWER_MARK; only from queries for whoever asks again. */
  mark?: string;
}

/** With what deciding on a join needs and no answer shows: what SELECT_EVENT_TO_JOIN (participation.query.ts) selects. */
export interface EventToJoinRow extends ViewerEventRow {
  join_password_sealed: string | null;
  /** Another number: the organizer has changed something since. */
  revision: number;
}

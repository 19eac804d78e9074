import type { ParticipationState } from '#contract/vocabulary';
import type { EventRow } from '../events/event.resource';

/** What VIEWER_COLUMNS (event-for-viewer.resource.ts) select. */
export interface ViewerEventRow extends EventRow {
  organizer_name: string;
  organizer_nickname: string | null;
  organizer_slug: string;
  organizer_avatar_key: string | null;
  participation: ParticipationState | null;
  check_in_code: string | null;
  requests_full: boolean;
  blocked: boolean;
  /** Kilometres; only from queries that know where the viewer is. */
  distance_km?: number | null;
}

import type { ParticipationState } from '#contract/vocabulary';
import type { EventRow } from '../../events/event.resource';
import type { PersonRow } from '../../identity/person.resource';

/** Columns of SHARED_COLUMNS (event-for-viewer.resource.ts). */
export type SharedEventRow = Omit<EventRow, 'group_id'> & PersonRow<'organizer'>;

/** Columns of VIEWER_COLUMNS (also in event-for-viewer.resource.ts). */
export interface ViewerEventRow extends SharedEventRow, Pick<EventRow, 'group_id'> {
  participation: ParticipationState | null;
  check_in_code: string | null;
  /** Whether one more request to join would exceed the limit of the event or of the viewer. */
  requests_full: boolean;
  /** Whether the organizer blocks the viewer. */
  blocked: boolean;
  /** When the viewer's offer ends; also set for an expired offer that is still stored. */
  offer_expires_at: Date | null;
  /**
   * The viewer's position on the waitlist, from 1; null for a viewer who is not on the waitlist. A person with an
   * expired offer still has a position until the offer is deleted.
   */
  waitlist_position: number | null;
  /** The ends of the stored offers of people who are before the viewer on the waitlist; null if there are none. */
  offers_ahead: readonly Date[] | null;
  /** The ends of all stored offers of the event; null if there are none. */
  offers_until: readonly Date[] | null;
  /** The number of waitlisted people who could get the free seats next (`SeatFacts`). */
  next_in_line: number;
  /** The distance in kilometres from the place of the search; absent without such a place. */
  distance_km?: number | null;
}

/** The columns that decide whether a person may join. */
export type JoinFacts = Pick<
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
  | 'waitlist_mode'
  | 'offers_count'
  | 'offers_until'
  | 'next_in_line'
  | 'offer_expires_at'
  | 'age_min'
  | 'age_max'
  | 'gender_restriction'
  | 'participation'
  | 'requests_full'
  | 'blocked'
>;

/** The columns of SELECT_EVENT_TO_JOIN (participation.query.ts). Responses must not contain the two columns below. */
export interface EventToJoinRow extends ViewerEventRow {
  join_password_sealed: string | null;
  /** Increases with each update of the event's row that does not change `confirmed_count`. */
  revision: number;
}

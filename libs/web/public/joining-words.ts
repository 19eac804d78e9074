import type { EventStanding } from '#areas/participation/event-for-viewer.reader';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { TextKey } from '../texts';

/** What the reader is to the event, or why they cannot join; null: they can. */
export function standingOf({ event, isOver, isFull, canWait }: EventStanding, isSignedIn: boolean): TextKey | null {
  const { status, viewer, ticket_price_credits: credits } = event;
  if (viewer.participation === 'declined') return 'stand_declined';
  if (status === 'cancelled') return 'stand_cancelled';
  if (isOver) return 'stand_over';
  if (viewer.is_organizer) return 'stand_organizer';
  if (viewer.participation) return `stand_${viewer.participation}`;
  if (credits > 0) return 'stand_paid';
  if (isFull) return canWait || (!isSignedIn && event.join_mode !== 'request') ? 'stand_full_wait' : 'stand_full';
  return isSignedIn && !viewer.can_join ? 'stand_not_for_you' : null;
}

/** The buttons of the forms: each is there exactly when the API would let it try (PAGE-24). */
export interface JoiningForms {
  readonly join: TextKey | null;
  /** What the form of joining asks for. */
  readonly field: 'password' | 'ticket_code' | null;
  readonly wait: boolean;
  readonly leave: TextKey | null;
}

export function joiningForms({ event, canWait, canLeave }: EventStanding): JoiningForms {
  const { participation, can_join: canJoin } = event.viewer;
  return {
    join: canJoin ? joinWord(participation, event.join_mode === 'request') : null,
    // An invitation stands in for password and ticket (JOIN-18).
    field: canJoin && participation === null ? FIELDS[event.join_mode] ?? null : null,
    wait: canWait,
    leave: canLeave && participation !== null && participation !== 'declined' ? `leave_${participation}` : null,
  };
}

const FIELDS: Readonly<Record<string, 'password' | 'ticket_code'>> = { password: 'password', tickets: 'ticket_code' };

function joinWord(participation: ViewerParticipation | null, asks: boolean): TextKey {
  if (participation === 'pending') return 'do_accept';
  return asks ? 'do_request' : 'do_join';
}

import type { EventStanding } from '#areas/participation/event-for-viewer.reader';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { Reader } from '../readers';
import type { TextKey } from '../texts';

/** What the reader is to the event, or why they cannot join; null: they can. */
export function standingOf(
  { event, isOver, isFull, isCheckedIn, canWait }: EventStanding,
  { user, caller }: Reader,
): TextKey | null {
  const { status, viewer, ticket_price_credits: credits } = event;
  if (viewer.participation === 'declined') return 'stand_declined';
  if (status === 'cancelled') return 'stand_cancelled';
  if (isOver) return 'stand_over';
  if (viewer.is_organizer) return 'stand_organizer';
  if (isCheckedIn) return 'stand_checked_in';
  if (viewer.participation) return `stand_${viewer.participation}`;
  if (credits > 0) return 'stand_paid';
  if (isFull) return canWait || (!user && event.join_mode !== 'request') ? 'stand_full_wait' : 'stand_full';
  if (!user || viewer.can_join) return null;
  if (isBirthDateMissing(event, caller)) return 'stand_no_birth_date';
  return event.gender_restriction !== null && caller.gender === null ? 'stand_no_gender' : 'stand_not_for_you';
}

/** What the reader's profile does not say, though the event asks for it. */
export const MISSING_IN_PROFILE: readonly (TextKey | null)[] = ['stand_no_birth_date', 'stand_no_gender'];

function isBirthDateMissing({ age_min, age_max }: EventStanding['event'], { birthDate }: Reader['caller']): boolean {
  return birthDate === null && (age_min !== null || age_max !== null);
}

/** The buttons of the forms: each is there exactly when the API would let it try (PAGE-24); a checked-in person has none to leave (PAGE-38). */
export interface JoiningForms {
  readonly join: TextKey | null;
  /** What the form of joining asks for. */
  readonly field: 'password' | 'ticket_code' | null;
  readonly wait: boolean;
  /** What leaving is called, and the button that does it. */
  readonly leave: { readonly title: TextKey; readonly button: TextKey } | null;
}

export function joiningForms({ event, canWait, canLeave, isCheckedIn }: EventStanding): JoiningForms {
  const { participation, can_join: canJoin } = event.viewer;
  return {
    join: canJoin ? joinWord(participation, event.join_mode === 'request') : null,
    // An invitation stands in for password and ticket (JOIN-18).
    field: canJoin && participation === null ? (FIELDS[event.join_mode] ?? null) : null,
    wait: canWait,
    leave:
      canLeave && !isCheckedIn && participation !== null && participation !== 'declined'
        ? { title: `leave_${participation}`, button: `leave_do_${participation}` }
        : null,
  };
}

const FIELDS: Readonly<Record<string, 'password' | 'ticket_code'>> = { password: 'password', tickets: 'ticket_code' };

function joinWord(participation: ViewerParticipation | null, asks: boolean): TextKey {
  if (participation === 'pending') return 'do_accept';
  return asks ? 'do_request' : 'do_join';
}

import type { EventState } from '#areas/participation/event-for-viewer.reader';
import type { ViewerParticipation } from '#contract/vocabulary';
import type { Reader } from '../readers';
import type { TextKey } from '../texts';

/**
 * Returns the key of the text about the reader's relation to the event, or about the reason why the reader cannot join.
 * Returns null for a reader who can join and has no relation to the event, and for a visitor who may be able to join
 * after signing in.
 */
export function joinStatusKeyOf(
  { event, isOver, isFull, isWaitlistFull, isCheckedIn, canWait }: EventState,
  { user, caller }: Reader,
): TextKey | null {
  const { status, viewer, ticket_price_credits: credits } = event;
  if (viewer.participation === 'declined') return 'stand_declined';
  if (status === 'cancelled')
    return viewer.participation === 'confirmed' && !isOver ? 'stand_cancelled_confirmed' : 'stand_cancelled';
  if (isOver) return 'stand_over';
  if (viewer.is_organizer) return 'stand_organizer';
  if (isCheckedIn) return 'stand_checked_in';
  if (viewer.participation === 'waitlisted') return waitingWord(event);
  // A reader who cannot accept the invitation sees the reason instead.
  if (viewer.participation && (viewer.participation !== 'pending' || viewer.can_join))
    return `stand_${viewer.participation}`;
  if (credits > 0) return 'stand_paid';
  const missing = user && missingInProfile(event, caller);
  if (isFull) {
    // This value does not depend on the requirements for the profile, such as the age.
    const isWaitlistOpenToReader = event.join_mode !== 'request' && !isWaitlistFull && !viewer.participation;
    if (canWait || (!user && isWaitlistOpenToReader)) return 'stand_full_wait';
    return isWaitlistOpenToReader && missing ? missing : 'stand_full';
  }
  if (!user || viewer.can_join) return null;
  return missing ?? 'stand_not_for_you';
}

/** The text for a waitlisted reader: how the next free seat is assigned, or that a seat is offered to the reader. */
function waitingWord({ viewer, waitlist_mode: mode }: EventState['event']): TextKey {
  if (viewer.offer) return 'stand_offered';
  return mode === 'manual' ? 'stand_waitlisted' : `stand_waitlisted_${mode}`;
}

/** The texts about fields that the event requires and that are empty in the reader's profile. */
export const MISSING_IN_PROFILE: readonly (TextKey | null)[] = ['stand_no_birth_date', 'stand_no_gender'];

function missingInProfile(event: EventState['event'], { birthDate, gender }: Reader['caller']): TextKey | null {
  if (birthDate === null && (event.age_min !== null || event.age_max !== null)) return 'stand_no_birth_date';
  return gender === null && event.gender_restriction !== null ? 'stand_no_gender' : null;
}

/**
 * The buttons for joining and leaving. A button is shown if, and only if, the API would accept the action (PAGE-24).
 * One exception: a checked-in person has no button for leaving, although the API would accept the action (PAGE-38).
 */
export interface JoiningForms {
  /** The text of the button for joining; null if the button is not shown. */
  readonly join: TextKey | null;
  /** The field of the join form. */
  readonly field: 'password' | 'ticket_code' | null;
  /** Whether the button for joining the waitlist is shown. */
  readonly wait: boolean;
  /** The title and the button of the form for leaving. */
  readonly leave: { readonly title: TextKey; readonly button: TextKey } | null;
}

export function joiningForms({ event, canWait, canLeave, isCheckedIn }: EventState): JoiningForms {
  const { can_join: canJoin, offer } = event.viewer;
  const participation = offer ? 'offered' : event.viewer.participation;
  // For a moment after an offer expires, the reader is still on the waitlist. In this state, the reader can join like a
  // new person (JOIN-57).
  const joinsAsNewPerson = participation === null || participation === 'waitlisted';
  return {
    join: canJoin ? joinWord(participation, event.join_mode === 'request') : null,
    // A reader with an invitation or an offer needs no password or ticket code (JOIN-18, JOIN-57).
    field: canJoin && joinsAsNewPerson ? (FIELDS[event.join_mode] ?? null) : null,
    wait: canWait,
    leave:
      canLeave && !isCheckedIn && participation !== null && participation !== 'declined'
        ? { title: `leave_${participation}`, button: `leave_do_${participation}` }
        : null,
  };
}

const FIELDS: Readonly<Record<string, 'password' | 'ticket_code'>> = { password: 'password', tickets: 'ticket_code' };

function joinWord(participation: ViewerParticipation | 'offered' | null, needsApproval: boolean): TextKey {
  if (participation === 'offered') return 'do_accept_seat';
  if (participation === 'pending') return 'do_accept';
  return needsApproval ? 'do_request' : 'do_join';
}

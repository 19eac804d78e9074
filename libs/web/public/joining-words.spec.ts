import type { EventState } from '#areas/participation/event-for-viewer.reader';
import type { Reader } from '../readers';
import { joiningForms, joinStatusKeyOf } from './joining-words';

interface Situation {
  readonly event?: Record<string, unknown>;
  readonly viewer?: Record<string, unknown>;
  readonly state?: Partial<EventState>;
  readonly caller?: Record<string, unknown>;
  readonly isVisitor?: boolean;
}

const stateOf = ({ event = {}, viewer = {}, state = {} }: Situation): EventState =>
  ({
    isOver: false,
    isFull: false,
    isWaitlistFull: false,
    isCheckedIn: false,
    canWait: false,
    canLeave: false,
    ...state,
    event: {
      status: 'active',
      join_mode: 'open',
      waitlist_mode: 'manual',
      ticket_price_credits: 0,
      age_min: null,
      age_max: null,
      gender_restriction: null,
      ...event,
      viewer: { is_organizer: false, participation: null, can_join: false, offer: null, ...viewer },
    },
  }) as unknown as EventState;
const readerOf = ({ caller = {}, isVisitor = false }: Situation): Reader =>
  ({
    user: isVisitor ? null : { id: 1 },
    caller: { birthDate: '1990-01-01', gender: 'female', ...caller },
  }) as unknown as Reader;
const OFFER = { expires_at: '2031-05-01T10:00:00Z' };

// PAGE-23, PAGE-57, PAGE-101, PAGE-104
describe('the text about the reader’s relation to an event', () => {
  it.each<[string, Situation, string | null]>([
    ['a reader who can join', { viewer: { can_join: true } }, null],
    ['a visitor', { isVisitor: true, event: { age_min: 18 } }, null],
    [
      'a person whose request was declined, even if the event is cancelled',
      { event: { status: 'cancelled' }, viewer: { participation: 'declined' } },
      'stand_declined',
    ],
    [
      'a confirmed person, if the event is cancelled',
      { event: { status: 'cancelled' }, viewer: { participation: 'confirmed' } },
      'stand_cancelled_confirmed',
    ],
    [
      'a confirmed person, if the event is cancelled and over',
      { event: { status: 'cancelled' }, viewer: { participation: 'confirmed' }, state: { isOver: true } },
      'stand_cancelled',
    ],
    [
      'an invited person, if the event is cancelled',
      { event: { status: 'cancelled' }, viewer: { participation: 'pending' } },
      'stand_cancelled',
    ],
    [
      'a cancelled event that the reader organizes, even if the event is over',
      { event: { status: 'cancelled' }, viewer: { is_organizer: true }, state: { isOver: true } },
      'stand_cancelled',
    ],
    ['an event that is over', { viewer: { participation: 'confirmed' }, state: { isOver: true } }, 'stand_over'],
    ['an event that the reader organizes', { viewer: { is_organizer: true } }, 'stand_organizer'],
    [
      'a person who is checked in',
      { viewer: { participation: 'confirmed' }, state: { isCheckedIn: true } },
      'stand_checked_in',
    ],
    ['a confirmed person', { viewer: { participation: 'confirmed' }, state: { isFull: true } }, 'stand_confirmed'],
    ['an invited person', { viewer: { participation: 'pending', can_join: true } }, 'stand_pending'],
    ['a person who asked to join', { viewer: { participation: 'requested' } }, 'stand_requested'],
    [
      'a person on the waitlist',
      { viewer: { participation: 'waitlisted' }, state: { isFull: true } },
      'stand_waitlisted',
    ],
    [
      'a person on the waitlist, if the waitlist mode is auto',
      { event: { waitlist_mode: 'auto' }, viewer: { participation: 'waitlisted' } },
      'stand_waitlisted_auto',
    ],
    [
      'a person on the waitlist, if the waitlist mode is offer',
      { event: { waitlist_mode: 'offer' }, viewer: { participation: 'waitlisted' } },
      'stand_waitlisted_offer',
    ],
    [
      'a person to whom a seat is offered',
      { event: { waitlist_mode: 'offer' }, viewer: { participation: 'waitlisted', offer: OFFER } },
      'stand_offered',
    ],
    ['an event with a price in credits', { event: { ticket_price_credits: 1 }, state: { isFull: true } }, 'stand_paid'],
    ['a full event with a waitlist', { state: { isFull: true, canWait: true } }, 'stand_full_wait'],
    ['a full event without a waitlist', { state: { isFull: true } }, 'stand_full'],
    ['a full event, for a visitor', { isVisitor: true, state: { isFull: true } }, 'stand_full_wait'],
    [
      'a full event with a full waitlist, for a visitor',
      { isVisitor: true, state: { isFull: true, isWaitlistFull: true } },
      'stand_full',
    ],
    [
      'a full event with a full waitlist, and a reader without a gender',
      {
        event: { gender_restriction: 'male' },
        caller: { gender: null },
        state: { isFull: true, isWaitlistFull: true },
      },
      'stand_full',
    ],
    [
      'a full event whose organizer approves requests, for a visitor',
      { isVisitor: true, event: { join_mode: 'request' }, state: { isFull: true } },
      'stand_full',
    ],
    [
      'an event with a minimum age, and a reader without a date of birth',
      { event: { age_min: 18 }, caller: { birthDate: null } },
      'stand_no_birth_date',
    ],
    [
      'an event with a maximum age, and a reader without a date of birth',
      { event: { age_max: 18 }, caller: { birthDate: null } },
      'stand_no_birth_date',
    ],
    [
      'an event for one gender, and a reader without a gender',
      { event: { gender_restriction: 'female' }, caller: { gender: null } },
      'stand_no_gender',
    ],
    [
      'a full event with a waitlist, and a reader without a gender',
      { event: { gender_restriction: 'male' }, caller: { gender: null }, state: { isFull: true } },
      'stand_no_gender',
    ],
    [
      'a full event without a waitlist, and a reader without a date of birth',
      { event: { age_min: 18, join_mode: 'request' }, caller: { birthDate: null }, state: { isFull: true } },
      'stand_full',
    ],
    [
      'an invited person without a date of birth',
      { event: { age_min: 18 }, caller: { birthDate: null }, viewer: { participation: 'pending' } },
      'stand_no_birth_date',
    ],
    [
      'an invited person without a date of birth, if the event is full',
      {
        event: { age_min: 18 },
        caller: { birthDate: null },
        viewer: { participation: 'pending' },
        state: { isFull: true },
      },
      'stand_full',
    ],
    [
      'an invited person, if the event has a price in credits',
      { event: { ticket_price_credits: 1 }, viewer: { participation: 'pending' } },
      'stand_paid',
    ],
    ['an event whose conditions the reader does not meet', { event: { age_min: 60 } }, 'stand_not_for_you'],
    [
      'a reader with an empty profile who cannot join the event, although the event has no conditions',
      { caller: { birthDate: null, gender: null } },
      'stand_not_for_you',
    ],
  ])('is correct for %s', (_, situation, textKey) => {
    expect(joinStatusKeyOf(stateOf(situation), readerOf(situation))).toBe(textKey);
  });
});

// PAGE-24, PAGE-38
describe('the forms to join and to leave', () => {
  const LEAVE = (participation: string) => ({ title: `leave_${participation}`, button: `leave_do_${participation}` });
  it.each<[string, Situation, object]>([
    [
      'a person who cannot join the event, join its waitlist or leave',
      {},
      { join: null, field: null, wait: false, leave: null },
    ],
    ['a person who can join', { viewer: { can_join: true } }, { join: 'do_join', field: null }],
    [
      'a person who can ask to join',
      { event: { join_mode: 'request' }, viewer: { can_join: true } },
      { join: 'do_request', field: null },
    ],
    [
      'a person who needs the password',
      { event: { join_mode: 'password' }, viewer: { can_join: true } },
      { join: 'do_join', field: 'password' },
    ],
    [
      'a person who needs a ticket',
      { event: { join_mode: 'tickets' }, viewer: { can_join: true } },
      { join: 'do_join', field: 'ticket_code' },
    ],
    [
      'a person who cannot join an event that has a password',
      { event: { join_mode: 'password' } },
      { join: null, field: null },
    ],
    [
      'an invited person',
      {
        event: { join_mode: 'password' },
        viewer: { can_join: true, participation: 'pending' },
        state: { canLeave: true },
      },
      { join: 'do_accept', field: null, leave: LEAVE('pending') },
    ],
    [
      'an invited person, if other people must ask to join',
      { event: { join_mode: 'request' }, viewer: { can_join: true, participation: 'pending' } },
      { join: 'do_accept' },
    ],
    [
      'a person to whom a seat is offered',
      {
        event: { join_mode: 'password' },
        viewer: { can_join: true, participation: 'waitlisted', offer: OFFER },
        state: { canLeave: true },
      },
      { join: 'do_accept_seat', field: null, leave: LEAVE('offered') },
    ],
    [
      'a person whose offer of a seat has ended',
      {
        event: { join_mode: 'password' },
        viewer: { can_join: true, participation: 'waitlisted' },
        state: { canLeave: true },
      },
      { join: 'do_join', field: 'password', leave: LEAVE('waitlisted') },
    ],
    ['a person who can join the waitlist', { state: { canWait: true } }, { join: null, wait: true }],
    [
      'a confirmed person',
      { viewer: { participation: 'confirmed' }, state: { canLeave: true } },
      { join: null, leave: LEAVE('confirmed') },
    ],
    [
      'a person who is checked in',
      { viewer: { participation: 'confirmed' }, state: { canLeave: true, isCheckedIn: true } },
      { leave: null },
    ],
    [
      'a person whose request was declined',
      { viewer: { participation: 'declined', can_join: true }, state: { canLeave: true } },
      { join: 'do_join', leave: null },
    ],
  ])('are correct for %s', (_, situation, forms) => {
    expect(joiningForms(stateOf(situation))).toMatchObject(forms);
  });
});

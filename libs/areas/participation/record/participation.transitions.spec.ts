import { PARTICIPATION_STATES } from '#contract/vocabulary';
import { TRANSITIONS, type State, type Trigger } from './participation.transitions';

const STATES: readonly State[] = ['none', 'offered', ...PARTICIPATION_STATES];

/**
 * JOIN-43: the usual transitions. Each row contains the state, the trigger and the new state. The conditions of the
 * transitions are in admission.rules.ts and organizer.rules.ts, and are not tested here.
 */
const USUAL_TRANSITIONS: readonly (readonly [from: State, trigger: Trigger, to: State])[] = [
  ['none', 'join', 'confirmed'],
  ['none', 'request', 'requested'],
  ['none', 'waitlist', 'waitlisted'],
  ['none', 'invite', 'pending'],
  ['pending', 'join', 'confirmed'],
  ['pending', 'leave', 'none'],
  ['waitlisted', 'leave', 'none'],
  ['requested', 'leave', 'none'],
  ['confirmed', 'leave', 'none'],
  ['waitlisted', 'promote', 'confirmed'],
  ['requested', 'promote', 'confirmed'],
  ['requested', 'remove', 'declined'],
  ['declined', 'remove', 'none'],
  ['confirmed', 'ban', 'banned'],
  ['confirmed', 'remove', 'none'],
  ['pending', 'remove', 'none'],
  ['waitlisted', 'remove', 'none'],
  ['banned', 'remove', 'none'],
];

/** JOIN-43: the other transitions, among them check-ins, bans of people who are not confirmed, and offers of seats. */
const OTHER_TRANSITIONS: typeof USUAL_TRANSITIONS = [
  ['pending', 'request', 'confirmed'], // an invitation replaces the organizer's approval
  ...STATES.filter((state) => state !== 'confirmed').map((state) => [state, 'ban', 'banned'] as const),
  ['confirmed', 'check_in', 'confirmed'],
  ['confirmed', 'undo_check_in', 'confirmed'],
  // JOIN-54 to JOIN-59: free seats that are offered or given to waitlisted people
  ['waitlisted', 'offer', 'offered'],
  ['waitlisted', 'pass_on', 'confirmed'],
  ['offered', 'pass_on', 'confirmed'],
  ['offered', 'join', 'confirmed'],
  ['offered', 'promote', 'confirmed'],
  ['offered', 'leave', 'none'],
  ['offered', 'remove', 'none'],
  ['offered', 'lapse', 'none'],
  ['offered', 'withdraw', 'waitlisted'],
];

// JOIN-43
describe('the transition table of participations', () => {
  const transitions = (Object.keys(TRANSITIONS) as Trigger[]).flatMap((trigger) =>
    STATES.flatMap((from) => {
      const cell = TRANSITIONS[trigger][from];
      return 'to' in cell ? [`${from} --${trigger}--> ${cell.to}`] : [];
    }),
  );

  it('contains exactly the transitions that this file lists', () => {
    const listed = [...USUAL_TRANSITIONS, ...OTHER_TRANSITIONS].map(
      ([from, trigger, to]) => `${from} --${trigger}--> ${to}`,
    );
    expect(transitions.sort()).toEqual(listed.sort());
  });

  it('has an entry for every trigger in every state', () => {
    for (const trigger of Object.keys(TRANSITIONS) as Trigger[]) {
      expect(Object.keys(TRANSITIONS[trigger]).sort()).toEqual([...STATES].sort());
    }
  });
});

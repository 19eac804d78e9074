import { PARTICIPATION_STATES } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { unrelatedParticipation, type Participation } from './participation.entity';
import { TRANSITIONS, type MovingTrigger, type State, type Trigger } from './participation.transitions';

const BEFORE = new Date('2026-05-01T10:00:00Z');
const NOW = new Date('2026-05-02T10:00:00Z');
const LATER = new Date('2026-05-03T10:00:00Z');
const TRIGGERS = (Object.keys(TRANSITIONS) as Trigger[]).filter(
  (trigger): trigger is MovingTrigger => !/check_in/.test(trigger),
);
const CELLS = TRIGGERS.flatMap((trigger) =>
  (['none', 'offered', ...PARTICIPATION_STATES] as State[]).map((from): [MovingTrigger, State] => [trigger, from]),
);

function participation(state: State): Participation {
  const isOffered = state === 'offered';
  const status = isOffered ? 'waitlisted' : state;
  return Object.assign(unrelatedParticipation(1, 2, BEFORE), {
    status: status === 'none' ? null : status,
    offerExpiresAt: isOffered ? LATER : null,
    invitedAt: BEFORE,
    requestedAt: BEFORE,
    checkedInAt: BEFORE,
    creditHoldId: 3,
  });
}

// JOIN-43
describe('Participation.apply', () => {
  it.each(CELLS)('follows the transition table for the trigger %s in the state %s', (trigger, from) => {
    const row = participation(from);
    const cell = TRANSITIONS[trigger][from];
    if ('refuse' in cell) expect(() => row.apply(trigger, NOW)).toThrow(new Refusal(cell.refuse));
    else {
      row.apply(trigger, NOW, { offerExpiresAt: LATER });
      expect(row.state).toBe(cell.to);
    }
  });

  // JOIN-25, JOIN-36
  it('sets the values of the new state, and clears the values of a former confirmation; each confirmation gets a new check-in code', () => {
    const invited = participation('none');
    invited.apply('invite', NOW);
    expect(invited).toMatchObject({
      invitedAt: NOW,
      requestedAt: BEFORE,
      joinedAt: null,
      checkInCode: null,
      ticketCode: null,
      checkedInAt: null,
      creditHoldId: null,
    });
    const requested = participation('none');
    requested.apply('request', NOW);
    expect(requested).toMatchObject({ invitedAt: BEFORE, requestedAt: NOW, joinedAt: null });
    const joined = participation('none');
    joined.apply('join', NOW, { ticketCode: 'TICK-ET01' });
    expect(joined).toMatchObject({
      invitedAt: BEFORE,
      joinedAt: NOW,
      checkInCode: expect.stringMatching(/^\w{4}(-\w{4}){3}$/),
      ticketCode: 'TICK-ET01',
      checkedInAt: null,
      updatedAt: NOW,
    });
    const code = joined.checkInCode;
    joined.apply('ban', NOW);
    expect(joined).toMatchObject({ status: 'banned', joinedAt: null, checkInCode: null, ticketCode: null });
    joined.apply('remove', NOW);
    joined.apply('join', NOW);
    expect(joined.checkInCode).not.toBe(code);
  });
});

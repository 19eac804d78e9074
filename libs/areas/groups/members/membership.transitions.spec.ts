import { GROUP_ROLES } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import {
  MEMBERSHIP,
  MEMBERSHIP_TRIGGERS,
  roleAfter,
  MEMBERSHIP_STATES,
  type Cell,
  type MembershipTrigger,
  type MembershipState,
} from './membership.transitions';

/**
 * The changes that GRP-10, GRP-11, GRP-13 and GRP-15 allow. The first column contains one or more roles before the
 * trigger (null: no relation), the second column the trigger, and the third column the role after the trigger.
 */
const ALLOWED_CHANGES = `
  null                       join     requested
  invited                    join     member
  null                       invite   invited
  requested                  approve  member
  requested                  remove   null
  invited                    remove   null
  member                     remove   null
  member, invited, requested leave    null`;

/**
 * The refusals of GRP-10, GRP-11, GRP-13 and GRP-15 for all other pairs of a trigger and a role. The columns contain
 * the trigger, one or more roles before the trigger, and the error code.
 */
const EXPECTED_REFUSALS = `
  join     requested                      has_pending_request
  join     member, owner                  already_related
  leave    null                           not_related
  leave    owner                          owner_cannot_leave
  invite   requested                      has_pending_request
  invite   invited, member                already_related
  invite   owner                          invalid_invitee
  approve  null, invited, member, owner   not_requested
  remove   null                           not_related
  remove   owner                          cannot_remove_owner`;

const cellsOfTheTable = (kind: 'changes' | 'refusals'): string[] =>
  MEMBERSHIP_TRIGGERS.flatMap((trigger) =>
    MEMBERSHIP_STATES.flatMap((from) => {
      const cell: Cell = MEMBERSHIP[trigger][from];
      if ('to' in cell) return kind === 'changes' ? [`${trigger} ${from}: ${cell.to}`] : [];
      return kind === 'refusals' ? [`${trigger} ${from}: ${cell.refuse}`] : [];
    }),
  ).sort();

const stateName = (state: string): string => (state === 'null' ? 'none' : state);
const columns = (row: string): string[] => row.trim().split(/ {2,}|(?<=[a-z]) (?=join|leave|invite|approve|remove)/);

// GRP-10, GRP-11, GRP-13, GRP-15
describe('the transition table of memberships', () => {
  it('allows exactly the changes that the rules specify', () => {
    const expected = ALLOWED_CHANGES.trim()
      .split('\n')
      .flatMap((row) => {
        const [from = '', trigger = '', to = ''] = columns(row);
        return from.split(', ').map((state) => `${trigger} ${stateName(state)}: ${stateName(to)}`);
      });
    expect(cellsOfTheTable('changes')).toEqual(expected.sort());
  });

  it('refuses all other changes with exactly the codes that the rules specify', () => {
    const expected = EXPECTED_REFUSALS.trim()
      .split('\n')
      .flatMap((row) => {
        const [trigger = '', from = '', code = ''] = columns(row);
        return from.split(', ').map((state) => `${trigger} ${stateName(state)}: ${code}`);
      });
    expect(cellsOfTheTable('refusals')).toEqual(expected.sort());
  });

  it('has an entry for every role and every trigger', () => {
    expect([...MEMBERSHIP_STATES].sort()).toEqual(['none', ...GROUP_ROLES].sort());
    expect(cellsOfTheTable('changes').length + cellsOfTheTable('refusals').length).toBe(
      MEMBERSHIP_STATES.length * MEMBERSHIP_TRIGGERS.length,
    );
  });

  it.each(
    MEMBERSHIP_TRIGGERS.flatMap((trigger) =>
      MEMBERSHIP_STATES.map((from): [MembershipTrigger, MembershipState] => [trigger, from]),
    ),
  )('determines the result of `roleAfter` for the trigger %s and the role %s', (trigger, from) => {
    const cell: Cell = MEMBERSHIP[trigger][from];
    const role = from === 'none' ? null : from;
    if ('to' in cell) expect(roleAfter(trigger, role)).toBe(cell.to === 'none' ? null : cell.to);
    else expect(() => roleAfter(trigger, role)).toThrow(new Refusal(cell.refuse));
  });
});

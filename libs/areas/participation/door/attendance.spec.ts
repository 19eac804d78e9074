import { array, assert, boolean, constantFrom, integer, property, record, shuffledSubarray, tuple } from 'fast-check';
import { repetitions } from '#testing/repetitions';
import { Attendance, type Mark } from './attendance';

const scan = (second: number, by: string | null = null): Mark => ({ kind: 'scan', second, ordinal: 0, by });
const undo = (second: number): Mark => ({ kind: 'undo', second, ordinal: 0, by: null });
const numbered = (...marks: readonly Mark[]): readonly Mark[] => marks.map((mark, i) => ({ ...mark, ordinal: i + 1 }));
const arrivalOf = (marks: readonly Mark[], undoable = true) =>
  new Attendance(numbered(...marks), undoable).arrival?.second ?? null;
const checkIn = (second: number): Mark => ({ kind: 'check_in', second, ordinal: 0, by: null });
const undoCheckIn = (second: number): Mark => ({ kind: 'undo_check_in', second, ordinal: 0, by: null });

/**
 * The documented rule: the latest undo cancels every scan before it or in the same second; the earliest remaining scan
 * is the arrival.
 */
function expectedArrival(marks: readonly Mark[]): number | null {
  const last = Math.max(-Infinity, ...marks.filter(({ kind }) => kind === 'undo').map(({ second }) => second));
  const remaining = marks.filter(({ kind, second }) => kind === 'scan' && second > last).map(({ second }) => second);
  return remaining.length === 0 ? null : Math.min(...remaining);
}

describe('the time of arrival at the door', () => {
  // DOOR-9, DOOR-10
  it('does not depend on the order or the repetition of scans and undos by devices', () => {
    const marks = array(
      record({
        kind: constantFrom('scan' as const, 'undo' as const),
        second: integer({ min: -3, max: 9 }),
        ordinal: integer({ min: 0, max: 0 }),
        by: constantFrom(null, 'East', 'West'),
      }),
      { maxLength: 9 },
    );
    assert(
      property(
        marks.chain((all) => tuple(shuffledSubarray(all, { minLength: all.length }), shuffledSubarray(all))),
        ([order, repeated]) => {
          expect(arrivalOf([...order, ...repeated])).toBe(expectedArrival(order));
          expect(arrivalOf([...repeated, ...order])).toBe(expectedArrival(order));
          const [by, byInReverse] = [order, [...order].reverse()].map(
            (all) => new Attendance(numbered(...all), true).arrival?.by,
          );
          expect(by).toBe(byInReverse);
        },
      ),
      { numRuns: repetitions('door_scripts') },
    );
  });

  // DOOR-24
  it('comes from the earliest scan; of scans in the same second, the organizer’s scan counts, otherwise the scan of the link whose name comes first', () => {
    const checkedInBy = (...marks: readonly Mark[]) => new Attendance(numbered(...marks), true).arrival?.by;
    expect(checkedInBy(scan(3, 'West'), scan(2, 'East'), scan(5))).toBe('East');
    expect(checkedInBy(scan(2, 'East'), undo(2), scan(3, 'West'))).toBe('West');
    expect(checkedInBy(scan(2, 'West'), scan(2, 'East'))).toBe('East');
    expect(checkedInBy(scan(2, 'East'), scan(2))).toBeNull();
    expect(checkedInBy(checkIn(2), scan(3, 'East'))).toBeNull();
    expect(checkedInBy(scan(2, 'East'), checkIn(2))).toBeNull();
    expect(checkedInBy()).toBeUndefined();
  });

  // DOOR-11
  it('is set after a request to check in, and null after a request to undo the check-in, even if marks of devices have later times', () => {
    const anyMarks = array(
      record({
        kind: constantFrom('scan' as const, 'undo' as const, 'check_in' as const, 'undo_check_in' as const),
        second: integer({ min: 0, max: 9 }),
        ordinal: integer({ min: 0, max: 0 }),
        by: constantFrom(null),
      }),
      { maxLength: 9 },
    );
    assert(
      property(anyMarks, integer({ min: 0, max: 9 }), boolean(), (marks, now, isCheckIn) => {
        const after = arrivalOf([...marks, isCheckIn ? checkIn(now) : undoCheckIn(now)]);
        if (isCheckIn) expect(after).not.toBeNull();
        else expect(after).toBeNull();
      }),
      { numRuns: repetitions('door_scripts') },
    );
  });

  // DOOR-11
  it.each([
    ['a check-in, its undo and another check-in in the same second', [checkIn(5), undoCheckIn(5), checkIn(5)], 5],
    ['a check-in and its undo in the same second', [checkIn(5), undoCheckIn(5)], null],
    ['a scan that is sent after an undo and has an earlier time', [undoCheckIn(5), scan(4)], null],
    ['a scan in the same second as an undo', [undoCheckIn(5), scan(5)], null],
    ['a scan after an undo', [undoCheckIn(5), scan(6)], 6],
    ['a scan that is earlier than the check-in', [checkIn(5), scan(2)], 2],
    ['a scan with a future time, undone by the check-in endpoint', [scan(9), undoCheckIn(5)], null],
    [
      'a scan with a future time, undone by the check-in endpoint and sent again',
      [scan(9), undoCheckIn(5), scan(9)],
      null,
    ],
    ['a check-in undone by a device in the same second', [checkIn(5), undo(5)], null],
    ['a check-in after an undo by a device whose clock is fast', [undo(9), checkIn(5)], 5],
    ['undone scans and a later check-in', [scan(1), undoCheckIn(3), checkIn(4), scan(2)], 4],
    ['an undo with a time between a scan and a check-in', [scan(1), checkIn(5), undo(3)], 5],
  ] as const)('is correct for %s', (_, marks, expected) => expect(arrivalOf(marks)).toBe(expected));

  // DOOR-12
  it('ignores undos if credits were paid', () => {
    expect(arrivalOf([undo(9), scan(4), scan(2), undo(3)], false)).toBe(2);
    expect(new Attendance([], false).add(undo(3))).toBe(false);
  });

  // DOOR-9
  it('does not change if a scan or undo is repeated: `add` then returns false', () => {
    const attendance = new Attendance(numbered(scan(1), undo(2)), true);
    expect([scan(1), undo(2), scan(2), undo(1), checkIn(1)].map((mark) => attendance.add(mark))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

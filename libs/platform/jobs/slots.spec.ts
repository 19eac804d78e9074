import { dueSlot } from './slots';
import type { Every } from './job';

const rows: readonly [Every, now: string, slot: string][] = [
  ['minute', '2026-05-01T10:11:12.345Z', '2026-05-01T10:11:00Z'],
  ['minute', '2026-05-01T10:11:00Z', '2026-05-01T10:11:00Z'],
  ['5 minutes', '2026-05-01T10:19:59Z', '2026-05-01T10:15:00Z'],
  ['10 minutes', '2026-05-01T10:19:59Z', '2026-05-01T10:10:00Z'],
  ['hour', '2026-05-01T10:59:59Z', '2026-05-01T10:00:00Z'],
  ['day', '2026-05-01T01:20:00Z', '2026-05-01T01:20:00Z'],
  ['day', '2026-05-01T01:19:59Z', '2026-04-30T01:20:00Z'],
  ['day', '2026-05-01T22:30:00Z', '2026-05-01T01:20:00Z'],
  ['day', '2026-01-15T12:00:00Z', '2026-01-15T02:20:00Z'],
  // The slot is 03:20 in Prague, where 02:00 becomes 03:00 on 29 March, and 03:00 becomes 02:00 on 25 October.
  ['day', '2026-03-29T00:59:59Z', '2026-03-28T02:20:00Z'],
  ['day', '2026-03-29T01:20:00Z', '2026-03-29T01:20:00Z'],
  ['day', '2026-10-25T02:19:59Z', '2026-10-24T01:20:00Z'],
  ['day', '2026-10-25T02:20:00Z', '2026-10-25T02:20:00Z'],
];

describe('the latest slot (scheduled time)', () => {
  it.each(rows)('of a job that runs every %s, at the time %s, is %s', (every, now, slot) => {
    expect(dueSlot(every, new Date(now))).toEqual(new Date(slot));
  });

  it('of a daily job is a different time on each day of a year, despite the clock changes', () => {
    const slots = new Set<number>();
    for (let minute = 0; minute < 365 * 24 * 60; minute += 10)
      slots.add(dueSlot('day', new Date(Date.UTC(2026, 0, 1, 2, 20 + minute))).getTime());
    expect(slots.size).toBe(365);
  });
});

import { nextTryAfter } from './retries.rules';

const FIRST = new Date('2026-11-22T00:00:00Z');

describe('the time of the next attempt to deliver a message', () => {
  // HOOK-9
  it('is 5 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and then always one day after the previous attempt, until 5 days after the first attempt', () => {
    const waits: number[] = [];
    let at = FIRST;
    for (let tries = 1; ; tries++) {
      const next = nextTryAfter(tries, FIRST, at);
      if (!next) break;
      waits.push((next.getTime() - at.getTime()) / 1000);
      at = next;
    }
    expect(waits).toEqual([5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 86_400, 86_400, 86_400]);
    expect(at.getTime() - FIRST.getTime()).toBeLessThanOrEqual(5 * 86_400_000);
  });

  // HOOK-9
  it('may be exactly 5 days after the first attempt, but not later', () => {
    const fourDaysLater = FIRST.getTime() + 4 * 86_400_000;
    expect(nextTryAfter(11, FIRST, new Date(fourDaysLater))).toEqual(new Date(fourDaysLater + 86_400_000));
    expect(nextTryAfter(11, FIRST, new Date(fourDaysLater + 1))).toBeNull();
  });
});

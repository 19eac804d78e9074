import { LIMITS } from '#contract/limits';
import { resultOf } from './attempts.rules';

const { delays } = LIMITS.push.tries;
const NOW = new Date('2026-11-20T10:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const FAR_FUTURE = after(1_000_000);

// PUSH-6
describe('the result of an attempt to send a push message', () => {
  it.each([
    [200, 'done'],
    [201, 'done'],
    [204, 'done'],
    [307, 'done'],
    [400, 'done'],
    [403, 'done'],
    [413, 'done'],
    [404, 'ended'],
    [410, 'ended'],
    [429, { retryAt: after(10) }],
    [500, { retryAt: after(10) }],
    [503, { retryAt: after(10) }],
    [null, { retryAt: after(10) }],
  ])('after the status %s is %j', (status, expected) =>
    expect(resultOf({ status }, 0, NOW, FAR_FUTURE)).toEqual(expected),
  );

  it('is a retry after the next longer delay, or `done` if all delays were used', () => {
    expect(delays).toEqual([10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]);
    delays.forEach((delay, earlierAttempts) =>
      expect(resultOf({ status: 500 }, earlierAttempts, NOW, FAR_FUTURE)).toEqual({ retryAt: after(delay) }),
    );
    expect(resultOf({ status: 500 }, delays.length, NOW, FAR_FUTURE)).toBe('done');
  });

  it.each([
    ['120', after(120)],
    ['0', after(1)],
    ['Fri, 20 Nov 2026 11:00:00 GMT', after(3600)],
    ['Fri, 20 Nov 2026 09:00:00 GMT', after(1)],
    ['nonsense', after(10)],
    ['-5', after(10)],
  ])('after a 429 with Retry-After %s is a retry at %j', (retryAfter, retryAt) =>
    expect(resultOf({ status: 429, retryAfter }, 0, NOW, FAR_FUTURE)).toEqual({ retryAt }),
  );

  it('does not depend on Retry-After for statuses other than 429', () =>
    expect(resultOf({ status: 503, retryAfter: '120' }, 0, NOW, FAR_FUTURE)).toEqual({ retryAt: after(10) }));

  it('is not a retry at a time when the message is no longer useful', () => {
    expect(resultOf({ status: 500 }, 0, NOW, after(10))).toBe('done');
    expect(resultOf({ status: 500 }, 0, NOW, after(11))).toEqual({ retryAt: after(10) });
    expect(resultOf({ status: 429, retryAfter: '60' }, 0, NOW, after(30))).toBe('done');
  });
});

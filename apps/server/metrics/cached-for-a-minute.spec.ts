import { cachedForAMinute } from './cached-for-a-minute';

// OPS-126
describe('an expensive metric', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is read at most once a minute, even after a failed reading', async () => {
    let count = 0;
    const read = cachedForAMinute(async () => {
      count++;
      if (count === 2) throw new Error('away');
      return count;
    });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    jest.advanceTimersByTime(59_000);
    expect(await read()).toBe(1);
    jest.advanceTimersByTime(1_000);
    await expect(read()).rejects.toThrow('away');
    await expect(read()).rejects.toThrow('away');
    jest.advanceTimersByTime(60_000);
    expect([await read(), count]).toEqual([3, 3]);
  });
});

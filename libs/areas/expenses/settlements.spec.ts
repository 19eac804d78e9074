import { randomBalances, seededRandom } from '#testing/balances';
import { LIMITS } from '#contract/limits';
import { settle as settleExactly, settleInOneGroup } from '#settlement/settle';
import { Settlements } from './settlements';

const draw = seededRandom(4);
/**
 * The balances of twenty people in four groups of five people. In each group, the balances add up to zero. Finding
 * these groups is too much work for the event loop. The optimal result differs from the result of `settleInOneGroup`.
 */
const TWENTY = Array.from({ length: 4 }, () => randomBalances(draw, 5, 100_000)).flat();
const SIXTY = randomBalances(draw, 60, 2000);

describe('Settlements.settle', () => {
  let settlements: Settlements;
  beforeEach(() => {
    // With fake timers, the time budget ends when a test advances the clock, and not earlier on a busy machine.
    jest.useFakeTimers({ doNotFake: ['setInterval', 'clearInterval', 'setImmediate', 'nextTick', 'queueMicrotask'] });
    settlements = new Settlements();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await settlements.onModuleDestroy();
  });

  it('returns the same result as `settleExactly`, with and without a thread', async () => {
    for (const balances of [[], [300, -100, -200], TWENTY, SIXTY])
      expect(await settlements.settle(balances)).toEqual(settleExactly(balances));
    expect(settleExactly(TWENTY)).not.toEqual(settleInOneGroup(TWENTY));
  });

  it('does not block the event loop', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    await Promise.all([settlements.settle(TWENTY), settlements.settle(SIXTY)]);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });

  it('computes a result only once for concurrent requests, and caches this result', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => settlements.settle(SIXTY)));
    expect(new Set(answers).size).toBe(1);
    expect(await settlements.settle([...SIXTY])).toBe(answers[0]);
  });

  // EXP-10
  it('returns the result of `settleInOneGroup` if the time budget is used up; a later call returns the optimal result', async () => {
    const late = settlements.settle(SIXTY);
    await jest.advanceTimersByTimeAsync(LIMITS.expenses.settlement.budget_ms);
    expect(await late).toEqual(settleInOneGroup(SIXTY));
    expect(await settlements.settle(SIXTY)).toEqual(settleExactly(SIXTY));
  });

  it('waits for the optimal result of twenty people, even after the time budget is used up', async () => {
    const twenty = settlements.settle(TWENTY);
    await jest.advanceTimersByTimeAsync(LIMITS.expenses.settlement.budget_ms * 10);
    expect(await twenty).toEqual(settleExactly(TWENTY));
  });

  it('returns the result of `settleInOneGroup` if the thread ends during the work; a later call returns the optimal result', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const interrupted = settlements.settle(TWENTY);
    await settlements.onModuleDestroy();
    expect(await interrupted).toEqual(settleInOneGroup(TWENTY));
    jest.restoreAllMocks();
    expect(await settlements.settle(TWENTY)).toEqual(settleExactly(TWENTY));
  });
});

import { balanced, drawing } from '#testing/balances';
import { settle, settleAnyhow } from './settle';
import { Settlements } from './settlements';

/** Four hidden groups of five: too much work for the event loop, and another answer than `settleAnyhow` gives. */
const draw = drawing(4);
const TWENTY = Array.from({ length: 4 }, () => balanced(draw, 5, 100_000)).flat();
const SIXTY = balanced(draw, 60, 2000);

describe('settlements', () => {
  let settlements: Settlements;
  beforeEach(() => (settlements = new Settlements()));
  afterEach(() => settlements.onModuleDestroy());

  it('are those of `settle`, also from threads', async () => {
    for (const balances of [[], [300, -100, -200], TWENTY, SIXTY]) expect(await settlements.of(balances)).toEqual(settle(balances));
    expect(settle(TWENTY)).not.toEqual(settleAnyhow(TWENTY));
  });

  it('leave the event loop free', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    await Promise.all([settlements.of(TWENTY), settlements.of(SIXTY)]);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });

  it('are asked for once when many ask at once, and remembered', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => settlements.of(SIXTY)));
    expect(new Set(answers).size).toBe(1);
    expect(await settlements.of([...SIXTY])).toBe(answers[0]);
  });

  it('answer somehow when a thread ends, and well the next time', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const interrupted = settlements.of(TWENTY);
    await settlements.onModuleDestroy();
    expect(await interrupted).toEqual(settleAnyhow(TWENTY));
    jest.restoreAllMocks();
    expect(await settlements.of(TWENTY)).toEqual(settle(TWENTY));
  });
});

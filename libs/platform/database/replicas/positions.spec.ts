import { PrimaryPositions } from './primary-positions';
import { OwnPositions } from './written-positions';

/** OPS-65: the position that a replica must have reached for an account. */
describe('the stored WAL position of an account’s own writes', () => {
  const KEPT_MS = 1_000;
  let now: jest.SpyInstance<number, []>;
  beforeEach(() => (now = jest.spyOn(performance, 'now').mockReturnValue(5_000)));
  afterEach(() => now.mockRestore());

  it('is the highest position of the account’s commits, and is dropped after a fixed time (by then, every replica that may answer reads has reached it)', async () => {
    const written = new OwnPositions(KEPT_MS);
    await written.remember(1, 700);
    await written.remember(1, 600);
    await written.remember(2, Infinity);
    expect([written.positionOf(1), written.positionOf(2), written.positionOf(3)]).toEqual([700, Infinity, 0]);
    expect([...written.all()]).toEqual([
      [1, 700],
      [2, Infinity],
    ]);
    now.mockReturnValue(5_999);
    expect([written.positionOf(1), written.positionOf(2)]).toEqual([700, Infinity]);
    now.mockReturnValue(6_000);
    expect([written.positionOf(1), written.positionOf(2), [...written.all()]]).toEqual([0, 0, []]);
  });

  it('applies to all accounts if it was dropped because there were too many accounts', async () => {
    const written = new OwnPositions(KEPT_MS, 2);
    await written.remember(1, 700);
    now.mockReturnValue(5_500);
    await written.remember(2, 300);
    await written.remember(3, 400);
    expect([1, 2, 3, 4].map((account) => written.positionOf(account))).toEqual([700, 700, 700, 700]);
    now.mockReturnValue(6_000);
    expect([1, 2, 3, 4].map((account) => written.positionOf(account))).toEqual([0, 300, 400, 0]);
  });
});

/** OPS-67: how far behind a replica is. */
describe('the lag of a replica', () => {
  it('is the time since the primary was last seen at a position that the replica has reached', () => {
    const primary = new PrimaryPositions(10_000);
    expect(primary.lagOf(100, 0)).toBeNull();
    for (const [atMs, position] of [
      [1_000, 100],
      [2_000, 100],
      [3_000, 200],
      [4_000, 300],
    ] as const)
      primary.add({ atMs, position });
    expect([99, 100, 199, 200, 300, 301].map((position) => primary.lagOf(position, 4_100))).toEqual([
      null,
      2_100,
      2_100,
      1_100,
      100,
      100,
    ]);
    // The primary no longer responds, so its later writes are unknown.
    expect(primary.lagOf(300, 9_000)).toBe(5_000);
  });

  it('is unknown if it is longer than the stored history, or if another server has become the primary', () => {
    const primary = new PrimaryPositions(2_000);
    for (const [atMs, position] of [
      [1_000, 100],
      [2_000, 200],
      [3_500, 300],
    ] as const)
      primary.add({ atMs, position });
    expect([primary.lagOf(100, 3_500), primary.lagOf(200, 3_500)]).toEqual([null, 1_500]);
    // A lower position than before shows that another server has become the primary.
    primary.add({ atMs: 4_000, position: 250 });
    expect([primary.lagOf(200, 4_000), primary.lagOf(260, 4_000)]).toEqual([null, 0]);
  });
});

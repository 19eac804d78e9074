/** Balances for the tests of settlements. The random numbers come from a seed, so every run uses the same balances. */

/** Returns a generator of pseudo-random numbers from 0 to just below 1. The same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Random balances of `count` people. The last balance makes the sum zero; the others are from -`range` to `range`
 * cents.
 */
export function randomBalances(draw: () => number, count: number, range: number): number[] {
  const balances = Array.from({ length: count - 1 }, () => Math.ceil(draw() * range) * (draw() < 0.5 ? -1 : 1));
  return [...balances, 0 - balances.reduce((sum, balance) => sum + balance, 0)];
}

/** Shuffled balances of at most `maxPeople` people, who form groups of 2 to 5 people. The sum of each group is zero. */
export function balancesOfHiddenGroups(draw: () => number, maxPeople: number): number[] {
  const balances: number[] = [];
  while (balances.length < maxPeople - 1) {
    const size = Math.min(2 + Math.floor(draw() * 4), maxPeople - balances.length);
    balances.push(...randomBalances(draw, size, 10 ** (1 + Math.floor(draw() * 6))));
  }
  return balances
    .map((balance) => ({ balance, key: draw() }))
    .sort((a, b) => a.key - b.key)
    .map(({ balance }) => balance);
}

/** Balances after a party with some expenses. A random person pays each expense, and all people share this expense. */
export function balancesAfterParty(draw: () => number, people: number, expenses: number): number[] {
  const balances = new Array<number>(people).fill(0);
  for (let number = 0; number < expenses; number++) {
    const cents = 10_000 + Math.floor(draw() * 500_000);
    const payer = Math.floor(draw() * people);
    balances.forEach((balance, person) => {
      const share = Math.floor(cents / people) + (person < cents % people ? 1 : 0);
      balances[person] = balance - share + (person === payer ? cents : 0);
    });
  }
  return balances;
}

/**
 * The largest number of groups into which the people can be divided so that each group has the sum zero. People with
 * the balance zero are left out. Tries every group that contains the first person, and divides all people outside this
 * group in the same way.
 */
export function maxGroupsBruteForce(balances: readonly number[]): number {
  const [first, ...others] = balances.filter((balance) => balance !== 0);
  if (first === undefined) return 0;
  let largest = 0;
  for (let chosen = 0; chosen < 2 ** others.length; chosen++) {
    const together = others.filter((_, index) => chosen & (1 << index));
    if (together.reduce((sum, balance) => sum + balance, first) !== 0) continue;
    largest = Math.max(largest, 1 + maxGroupsBruteForce(others.filter((_, index) => !(chosen & (1 << index)))));
  }
  return largest;
}

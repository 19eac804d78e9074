import { LIMITS } from '#contract/limits';
import { manyGroups } from './many-groups';
import { mostGroups } from './most-groups.exact';
import { mostGroupsByChain, type ChainLimits } from './most-groups.chain';
import { partCount, type Grouping, type Multiset } from './multiset';
import { settleWithin, type Payment } from './payments';

export interface Settlement {
  /** The payments, sorted by payer, then by payee. */
  readonly payments: readonly Payment[];
  /** Whether fewer payments are proven to be impossible. */
  readonly optimal: boolean;
}

/**
 * The maximum number of parts (selections of the people) that an exact search visits. The balances of `exact_people`
 * people never have more parts.
 */
const MAX_EXACT_PARTS = 4 * 2 ** LIMITS.expenses.settlement.exact_people;
/** Up to this number of parts, the exact search runs immediately, because it is fast. */
const FEW_PARTS = 2 ** 13;
const CHAIN_LIMITS: ChainLimits = { halfParts: 2 ** 17, zeroParts: 12_000 };

/**
 * Finds the fewest payments that bring every balance to zero (EXP-10), or nearly the fewest if an exact search would
 * take too long. `balances` are in cents, and their sum is zero. People with the same balance are put into groups in
 * the order of this list. Payments refer to people by their index.
 *
 * A group of n people with sum zero is settled by n - 1 payments. The number of payments is therefore lowest if the
 * people with a balance are split into the maximum number of such groups. Finding these groups is NP-hard in general
 * (docs/adr/0050-fewest-payments.md). The same list of balances always gives the same payments.
 */
export function settle(balances: readonly number[]): Settlement {
  const { pairs, rest } = withoutPairs(balances);
  const people = byBalance(balances, rest);
  const set: Multiset = { values: [...people.keys()], counts: [...people.values()].map(({ length }) => length) };
  const { groups, optimal } = grouping(set);

  const groupsOfPeople = groups.map((group) =>
    group.map((position) => people.get(set.values[position] ?? 0)?.shift() ?? 0),
  );
  const payments = [...pairs, ...groupsOfPeople].flatMap((group) => settleWithin(group, balances));
  return { payments: payments.sort((a, b) => a.from - b.from || a.to - b.to), optimal };
}

/** The work of a settlement: the number of parts that an exact search visits. */
export function workOf(balances: readonly number[]): number {
  const people = byBalance(balances, withoutPairs(balances).rest);
  return partCount({ values: [], counts: [...people.values()].map(({ length }) => length) });
}

/**
 * A settlement without a search: all people are in one group. For up to three people with a balance, this result is
 * optimal, because each of two groups would need at least two people.
 */
export function settleInOneGroup(balances: readonly number[]): Settlement {
  const everybody = balances.flatMap((balance, person) => (balance === 0 ? [] : [person]));
  return { payments: settleWithin(everybody, balances), optimal: everybody.length <= 3 };
}

function grouping(set: Multiset): Grouping {
  const size = partCount(set);
  if (size <= FEW_PARTS) return { groups: mostGroups(set), optimal: true };
  // The search along chains compares each part whose sum is zero with all other such parts. The number of such parts
  // is limited, so that the comparison does not take longer than the exact search, which visits all parts.
  const zeroParts = Math.min(CHAIN_LIMITS.zeroParts, Math.ceil(6 * Math.sqrt(size)));
  const groups = mostGroupsByChain(set, { ...CHAIN_LIMITS, zeroParts });
  if (groups) return { groups, optimal: true };
  return size <= MAX_EXACT_PARTS ? { groups: mostGroups(set), optimal: true } : manyGroups(set);
}

/**
 * If one person owes exactly the amount that another person is owed, the debtor pays the creditor. This never makes the
 * result worse: if a best result had these two people in different groups, the remaining people of the two groups would
 * have sum zero together, and could form one group.
 */
function withoutPairs(balances: readonly number[]): { pairs: number[][]; rest: number[] } {
  const waiting = new Map<number, number[]>();
  const pairs: number[][] = [];
  balances.forEach((balance, person) => {
    if (balance === 0) return;
    const opposite = waiting.get(-balance)?.shift();
    if (opposite !== undefined) pairs.push([opposite, person]);
    else append(waiting, balance, person);
  });
  return { pairs, rest: [...waiting.values()].flat().sort((a, b) => a - b) };
}

/** Maps each balance, the largest first, to the people with this balance, in the order of the input. */
function byBalance(balances: readonly number[], people: readonly number[]): Map<number, number[]> {
  const sorted = [...people].sort((a, b) => (balances[b] ?? 0) - (balances[a] ?? 0) || a - b);
  const grouped = new Map<number, number[]>();
  for (const person of sorted) append(grouped, balances[person] ?? 0, person);
  return grouped;
}

function append(lists: Map<number, number[]>, balance: number, person: number): void {
  const list = lists.get(balance);
  if (list) list.push(person);
  else lists.set(balance, [person]);
}

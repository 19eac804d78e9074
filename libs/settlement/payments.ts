/** A payment between two people. `from` and `to` are their indexes in the list of balances. */
export interface Payment {
  readonly from: number;
  readonly to: number;
  readonly cents: number;
}

/**
 * Returns payments that settle the balances of a group. `group` contains the indexes of its people in `balances`; n
 * people need at most n - 1 payments. The person with the largest debt pays the person with the largest credit until
 * one of the two balances is zero. Of people with equal credits the first person in `balances` is chosen, and of people
 * with equal debts the last person.
 */
export function settleWithin(group: readonly number[], balances: readonly number[]): Payment[] {
  const openBalances = group.map((person) => ({ person, cents: balances[person] ?? 0 }));
  // The last creditor has the largest credit, and the last debtor has the largest debt.
  const creditors = openBalances.filter(({ cents }) => cents > 0).sort((a, b) => byBalance(b, a));
  const debtors = openBalances.filter(({ cents }) => cents < 0).sort(byBalance);
  const payments: Payment[] = [];
  for (;;) {
    const [creditor, debtor] = [creditors.pop(), debtors.pop()];
    if (!creditor || !debtor) return payments;
    const cents = Math.min(creditor.cents, -debtor.cents);
    payments.push({ from: debtor.person, to: creditor.person, cents });
    creditor.cents -= cents;
    debtor.cents += cents;
    if (creditor.cents > 0) insert(creditor, creditors, (a, b) => byBalance(b, a));
    if (debtor.cents < 0) insert(debtor, debtors, byBalance);
  }
}

interface OpenBalance {
  readonly person: number;
  cents: number;
}

/** The largest balance first; equal balances in the order of the people. */
function byBalance(a: OpenBalance, b: OpenBalance): number {
  return b.cents - a.cents || a.person - b.person;
}

/**
 * Inserts a balance into a sorted list. Sorting the whole list after each payment would block the thread for seconds.
 */
function insert(
  balance: OpenBalance,
  sorted: OpenBalance[],
  compare: (a: OpenBalance, b: OpenBalance) => number,
): void {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compare(sorted[middle] as OpenBalance, balance) < 0) from = middle + 1;
    else to = middle;
  }
  sorted.splice(from, 0, balance);
}

/** A payment between two people, by their indexes in the balances. */
export interface Payment {
  readonly from: number;
  readonly to: number;
  readonly cents: number;
}

/**
 * Returns payments that settle a group's balances; n people need at most n - 1 payments. The person with the largest
 * debt pays the person with the largest credit until one of the two balances is zero. Ties are resolved by the order of
 * the balances.
 */
export function settleWithin(group: readonly number[], balances: readonly number[]): Payment[] {
  const openBalances = group.map((person) => ({ person, cents: balances[person] ?? 0 }));
  const payments: Payment[] = [];
  for (let remaining = openBalances.length; remaining > 1; remaining--) {
    openBalances.sort((a, b) => b.cents - a.cents || a.person - b.person);
    const creditor = openBalances[0];
    const debtor = openBalances.at(-1);
    if (!creditor || !debtor || creditor.cents <= 0) break;
    const cents = Math.min(creditor.cents, -debtor.cents);
    payments.push({ from: debtor.person, to: creditor.person, cents });
    creditor.cents -= cents;
    debtor.cents += cents;
  }
  return payments;
}

import { AsyncLocalStorage } from 'node:async_hooks';

const operators = new AsyncLocalStorage<string>();

/**
 * Runs `work` for this operator. An audit entry that `work` writes contains the operator's name, unless an account
 * performed the action (OPS-96).
 */
export function asOperator<T>(name: string, work: () => T): T {
  return operators.run(name, work);
}

/** The operator of the current command; null in a server. */
export function currentOperator(): string | null {
  return operators.getStore() ?? null;
}

import { AsyncLocalStorage } from 'node:async_hooks';

const operators = new AsyncLocalStorage<string>();

/** Runs `work` as that operator: entries of the audit log without an account name the operator (OPS-96). */
export function asOperator<T>(name: string, work: () => T): T {
  return operators.run(name, work);
}

/** The operator of the running command; null in a server. */
export function currentOperator(): string | null {
  return operators.getStore() ?? null;
}

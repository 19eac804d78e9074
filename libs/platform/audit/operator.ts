import { AsyncLocalStorage } from 'node:async_hooks';

const operators = new AsyncLocalStorage<string>();

/** Runs `work` as that operator: entries of the audit log that are made by no account name the operator (OPS-96). */
export function asOperator<T>(name: string, work: () => T): T {
  return operators.run(name, work);
}

/** The operator of the command that is running; null in a server. */
export function currentOperator(): string | null {
  return operators.getStore() ?? null;
}

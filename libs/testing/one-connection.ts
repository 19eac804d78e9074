import { onSecondConnection } from '#platform/database/one-connection';

const found = new Set<string>();

/**
 * From now on, a statement in this process that would take a second connection inside a transaction throws and is
 * recorded.
 */
export function refuseSecondConnections(): void {
  onSecondConnection((statement) => {
    found.add(statement);
    throw new Error(`${statement} takes a second connection inside a transaction`);
  });
}

/** The statements refused since the last call, because code that catches all errors would hide them. */
export function secondConnections(): string[] {
  const statements = [...found];
  found.clear();
  return statements;
}

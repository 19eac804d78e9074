import { onSecondConnection } from '#platform/database/one-connection';

const found = new Set<string>();

/** From now on, in this process, a statement that would take a second connection inside a transaction throws, and is remembered. */
export function refuseSecondConnections(): void {
  onSecondConnection((statement) => {
    found.add(statement);
    throw new Error(`${statement} takes a second connection inside a transaction`);
  });
}

/** Those that were refused since the last call: code that catches everything would hide them. */
export function secondConnections(): string[] {
  const statements = [...found];
  found.clear();
  return statements;
}

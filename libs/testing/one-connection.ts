import { onSecondConnection } from '#platform/database/one-connection';

const refusedStatements = new Set<string>();

/**
 * After this call, a statement fails and is recorded if code inside a transaction sends the statement on a second
 * connection.
 */
export function refuseSecondConnections(): void {
  onSecondConnection((statement) => {
    refusedStatements.add(statement);
    throw new Error(`${statement} takes a second connection inside a transaction`);
  });
}

/**
 * Returns the statements that were refused since the last call. The statements are recorded, because code that catches
 * all errors would hide the thrown errors.
 */
export function takeRefusedStatements(): string[] {
  const statements = [...refusedStatements];
  refusedStatements.clear();
  return statements;
}

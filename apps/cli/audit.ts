import type { INestApplicationContext } from '@nestjs/common';
import { AuditLog, type AuditEntry } from '#platform/audit/audit-log';
import type { Transaction } from '#platform/database/database';

/** The action of a command, for the audit log. */
export type ActionEntry = Omit<AuditEntry, 'actorId'>;

/** Records the action of a command in the audit log, in the transaction of the action. */
export function recordAction(app: INestApplicationContext, tx: Transaction, entry: ActionEntry): Promise<void> {
  return app.get(AuditLog).record(tx, { ...entry, actorId: null });
}

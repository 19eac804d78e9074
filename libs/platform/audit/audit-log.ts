import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sealer } from '../config/sealer';
import { Database, type Transaction } from '../database/database';
import { Clock } from '../time/clock';
import { currentOperator } from './operator';
import {
  ADD_ENTRY,
  BEGIN_LOG,
  ENTRIES_AFTER,
  ENTRIES_BEFORE,
  HEAD_OF_LOG,
  LOCK_HEAD_OF_LOG,
  MOVE_HEAD,
  READ_SNAPSHOT,
  type EntryRow,
  type HeadRow,
} from './audit.query';

/** An action of an operator or moderator. */
export interface AuditEntry {
  /** The acting account; null for actions of the command line and of jobs. */
  readonly actorId: number | null;
  /** The action, written like the command that performs it: `content remove`. */
  readonly action: string;
  /** The object of the action: its kind, and its id or slug as in paths. For example `event kTzMbLqa`. */
  readonly subject?: string | null;
  readonly reason?: string | null;
  /** Further facts about the action; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Result of verifying the whole log. `entries` is the number of entries that were read. `firstBroken` is the number of
 * the first altered or missing entry; null if the log is intact.
 */
export interface Verdict {
  readonly intact: boolean;
  readonly entries: number;
  readonly firstBroken: number | null;
}

const KEY_BYTES = 32;
const BATCH_SIZE = 1_000;

/**
 * The log of actions by operators and moderators. Entries are added in the transaction of the action, and never
 * changed. Each entry has a hash that includes the hash of the previous entry. The head is the row with the number of
 * entries and the last hash.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an entry. Call this method at the end of a transaction, because other transactions cannot add entries until
   * this transaction ends.
   */
  async record(
    tx: Transaction,
    { actorId, action, subject = null, reason = null, details = {} }: AuditEntry,
  ): Promise<void> {
    const head = (await this.lockedHead(tx)) ?? (await this.begin(tx));
    const key = await this.keyOf(head);
    if (key === null) throw new Error('the key of the audit log cannot be decrypted');
    const entry = {
      number: String(Number(head.entries) + 1),
      at: this.clock.now(),
      actor_id: actorId === null ? null : String(actorId),
      action,
      subject,
      reason,
      details,
      operator: actorId === null ? currentOperator() : null,
    };
    const hash = hashOf(key, entry, head.last_hash);
    await tx.rows(ADD_ENTRY, [
      entry.number,
      entry.at,
      entry.actor_id,
      action,
      subject,
      reason,
      JSON.stringify(details),
      hash,
      entry.operator,
    ]);
    await tx.rows(MOVE_HEAD, [entry.number, hash, hashOfHead(key, Number(entry.number), hash)]);
  }

  /** The entries with numbers below `before` (null: all entries), newest first. */
  async entries(before: number | null, limit: number): Promise<readonly EntryRow[]> {
    return this.database.rows<EntryRow>(ENTRIES_BEFORE, [before, limit]);
  }

  /**
   * Recomputes the hashes of the entries, up to the first wrong hash. If all hashes are correct, but the head does not
   * match the last entry, later entries may have been deleted, so `firstBroken` is the number after the last entry. If
   * the log has entries but no head, or if the key of the head cannot be decrypted, no hash can be checked, so
   * `firstBroken` is 1. All rows are read from one snapshot, so other transactions can add entries in the meantime.
   */
  async verify(): Promise<Verdict> {
    return this.database.transaction(async (tx) => {
      await tx.rows(READ_SNAPSHOT);
      const [head = null] = await tx.rows<HeadRow>(HEAD_OF_LOG);
      const key = head && (await this.keyOf(head));
      let [number, lastHash] = [0, ''];
      for (let batchLength = BATCH_SIZE; batchLength === BATCH_SIZE;) {
        const rows = await tx.rows<EntryRow>(ENTRIES_AFTER, [number, BATCH_SIZE]);
        for (const row of rows) {
          number++;
          if (Number(row.number) !== number || !key || hashOf(key, row, lastHash) !== row.hash)
            return { intact: false, entries: number, firstBroken: number };
          lastHash = row.hash;
        }
        batchLength = rows.length;
      }
      const isIntact =
        head === null
          ? number === 0
          : Number(head.entries) === number &&
            head.last_hash === lastHash &&
            key !== null &&
            head.hash === hashOfHead(key, number, lastHash);
      return { intact: isIntact, entries: number, firstBroken: isIntact ? null : number + 1 };
    });
  }

  private async lockedHead(tx: Transaction): Promise<HeadRow | null> {
    const [head] = await tx.rows<HeadRow>(LOCK_HEAD_OF_LOG);
    return head ?? null;
  }

  private async begin(tx: Transaction): Promise<HeadRow> {
    const key = randomBytes(KEY_BYTES).toString('base64');
    await tx.rows(BEGIN_LOG, [hashOfHead(key, 0, ''), this.sealer.seal(key)]);
    const head = await this.lockedHead(tx);
    if (!head) throw new Error('the audit log has no head');
    return head;
  }

  private keyOf({ key_sealed }: HeadRow): Promise<string | null> {
    return this.sealer.open(key_sealed);
  }
}

type HashedEntry = Omit<EntryRow, 'hash'>;

/**
 * Returns the hash of an entry. The hash covers the operator only if the entry has one, because entries that older
 * versions of the service wrote have no operator.
 */
function hashOf(
  key: string,
  { number, at, actor_id, action, subject, reason, details, operator }: HashedEntry,
  previousHash: string,
): string {
  return hmac(key, [
    'entry',
    String(number),
    at.toISOString(),
    actor_id,
    action,
    subject,
    reason,
    sorted(details),
    previousHash,
    ...(operator === null ? [] : [operator]),
  ]);
}

function hashOfHead(key: string, entries: number, lastHash: string): string {
  return hmac(key, ['head', entries, lastHash]);
}

function hmac(key: string, content: readonly unknown[]): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(JSON.stringify(content)).digest('hex');
}

/** Replaces each object by a list of its keys and values, sorted by key: jsonb does not store the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

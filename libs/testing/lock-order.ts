import { Client } from 'pg';
import { Pipeline } from '#platform/database/pipeline';

/**
 * The order of tables in which a transaction has to lock rows (docs/ARCHITECTURE.md, "Transactions, locks and files").
 */
const ORDER: Readonly<Record<string, number>> = { series: 0, events: 1, groups: 2, users: 3, credit_accounts: 4 };

const BEGIN = /^\s*(BEGIN|START TRANSACTION)\b/i;
const END = /(^|;)\s*(COMMIT|ROLLBACK)\s*;?\s*$/i;
const LOCK = /\bFOR\s+(NO\s+KEY\s+UPDATE|KEY\s+SHARE|UPDATE|SHARE)\b(?!\s+SKIP)(?:\s+OF\s+"?(\w+)"?)?/gi;
const FROM = /\bFROM\s+(?:ONLY\s+)?(?:"?public"?\.)?"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?/gi;

/**
 * The tables of `ORDER` whose rows a statement locks by a clause such as FOR UPDATE, in the order of these clauses. A
 * clause `FOR … SKIP LOCKED` is ignored, because it does not wait. `FOR … OF x SKIP LOCKED` is not recognized as such a
 * clause, and is treated like a clause that waits.
 */
export function lockedTables(sql: string): string[] {
  return [...sql.matchAll(LOCK)].flatMap(({ index, 2: alias }) => {
    const tables = [...sql.slice(0, index).matchAll(FROM)];
    const table = alias === undefined ? tables.at(-1) : tables.find(([, name, as]) => name === alias || as === alias);
    // `events` is a view of the table `all_events`, so a lock by either name locks the same rows (migration 0185).
    const name = table?.[1]?.replace(/^all_/, '');
    return name !== undefined && name in ORDER ? [name] : [];
  });
}

/** The locks of one transaction so far. */
interface Locks {
  /** The table with locked rows that comes last in `ORDER`; null before the first lock. */
  highest: string | null;
  readonly tables: Set<string>;
}

/**
 * After this call, every statement of this process is checked before it is sent, so that a request with a wrong order
 * of locks fails in its test. A statement throws if it locks a row although its transaction has already locked a row of
 * a table that is later in `ORDER`. Rows of a table in which the transaction has already locked a row may be locked at
 * any time, because usually the row is the same. Only locks by clauses such as FOR UPDATE are checked (`lockedTables`).
 */
export function watchLockOrder(): void {
  const prototype = Client.prototype as unknown as { query: ((...args: unknown[]) => unknown) & { watched?: true } };
  if (prototype.query.watched) return;
  const query = prototype.query;
  const open = new WeakMap<object, Locks>();
  const watched = function (this: object, ...args: unknown[]): unknown {
    const [statement] = args;
    for (const sql of textsOf(statement)) {
      if (BEGIN.test(sql)) open.set(this, { highest: null, tables: new Set() });
      else if (END.test(sql)) open.delete(this);
      else {
        const locks = open.get(this);
        if (locks) for (const table of lockedTables(sql)) recordLock(locks, table, sql);
      }
    }
    return query.apply(this, args);
  };
  prototype.query = Object.assign(watched, { watched: true as const });
}

function textsOf(statement: unknown): readonly string[] {
  if (statement instanceof Pipeline) return statement.texts;
  return [typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '')];
}

/** Throws if the lock violates `ORDER`. */
function recordLock(locks: Locks, table: string, sql: string): void {
  const rank = ORDER[table] ?? 0;
  const highest = locks.highest === null ? 0 : (ORDER[locks.highest] ?? 0);
  if (rank < highest && !locks.tables.has(table)) {
    throw new Error(`${table} is locked after ${locks.highest}; the order is ${Object.keys(ORDER).join(', ')}: ${sql}`);
  }
  locks.tables.add(table);
  if (rank >= highest) locks.highest = table;
}

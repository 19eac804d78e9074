import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { Database, statement, type Queryable } from '#platform/database/database';
import { RenewedRows } from '#platform/database/renewed-rows';
import { Refusal } from '#platform/http/refusal';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';

/**
 * Kinds of open requests: a stream, or a request that waits for changes. The table `change_holds` has one row, called a
 * hold, for each open request.
 */
export type HoldKind = 'stream' | 'wait';

const TAKE_HOLD = statement('changes_take_hold', 'SELECT take_change_hold($1, $2, $3, $4, $5) AS seconds');
const RENEW_HOLDS = statement(
  'changes_renew_holds',
  'UPDATE change_holds SET until = clock_timestamp() + make_interval(secs => $2) WHERE id = ANY($1)',
);
const RELEASE_HOLDS = statement('changes_release_holds', 'DELETE FROM change_holds WHERE id = ANY($1)');
const COUNT_HOLDS = statement(
  'changes_count_holds',
  'SELECT count(*)::int AS held FROM change_holds WHERE account_id = $1 AND kind = $2 AND until >= clock_timestamp()',
);

const { lease } = LIMITS.changes.held;
const SHARES = { stream: LIMITS.shares.streams, wait: LIMITS.shares.waits } as const;
/** Value of `Retry-After`, in seconds, if this process cannot hold another stream or request open. */
const FULL_RETRY_SECONDS = 10;

/**
 * Limits the number of streams and the number of waiting requests. Each number has two limits: one for each account,
 * over all its tokens and all servers (CHG-11, CHG-12), and one for this process, over all accounts. If a server
 * crashes, the holds of its open requests expire within half a minute.
 */
@Injectable()
export class OpenRequestLimits implements OnApplicationShutdown {
  private readonly held: Readonly<Record<HoldKind, RenewedRows>>;

  constructor(private readonly database: Database) {
    const holds = () => new RenewedRows(database, RENEW_HOLDS, lease);
    this.held = { stream: holds(), wait: holds() };
  }

  /**
   * Counts an open request of the account. Throws 429 `too_many_requests` if the account is at its limit, and
   * `ServiceBusy` if this process is at its limit. Call the returned function when the request ends.
   */
  async take(accountId: number, kind: HoldKind): Promise<() => Promise<void>> {
    const { account, all } = SHARES[kind];
    const held = this.held[kind];
    if (held.size >= all) throw new ServiceBusy(FULL_RETRY_SECONDS);
    const id = randomUUID();
    // The id is added before the database responds, so that the limit of the process is exact.
    held.add(id);
    try {
      const [taken] = await this.database.outsideTransaction.rows<{ seconds: number | null }>(TAKE_HOLD, [
        id,
        accountId,
        kind,
        account,
        lease,
      ]);
      if (taken?.seconds) throw new Refusal('too_many_requests', { retryAfter: taken.seconds });
    } catch (error) {
      held.delete(id);
      throw error;
    }
    return async () => {
      held.delete(id);
      await this.release([id]);
    };
  }

  /** The number of the account's open streams, on all servers. */
  async usage(database: Queryable, accountId: number): Promise<Usage> {
    const [row] = await database.rows<{ held: number }>(COUNT_HOLDS, [accountId, 'stream']);
    return usageWithoutExpiry(row?.held ?? 0);
  }

  async onApplicationShutdown(): Promise<void> {
    const renewed = Object.values(this.held);
    for (const holds of renewed) holds.stop();
    const ids = renewed.flatMap((holds) => holds.ids);
    if (ids.length > 0) await this.release(ids);
  }

  /** Deletes the holds. If the statement fails, the holds expire `lease` seconds after their last renewal. */
  private async release(ids: readonly string[]): Promise<void> {
    await this.database.outsideTransaction.rows(RELEASE_HOLDS, [ids]).catch(() => undefined);
  }
}

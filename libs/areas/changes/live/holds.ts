import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, statement, type Queryable } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { lasting, type Usage } from '#platform/rate-limit/usage';

/** What may be held open at the feed. */
export type HoldKind = 'stream' | 'wait';

const TAKE_HOLD = statement('changes_take_hold', 'SELECT take_change_hold($1, $2, $3, $4, $5) AS seconds');
const RENEW_HOLDS = statement('changes_renew_holds', 'UPDATE change_holds SET until = clock_timestamp() + make_interval(secs => $2) WHERE id = ANY($1)');
const RELEASE_HOLDS = statement('changes_release_holds', 'DELETE FROM change_holds WHERE id = ANY($1)');
const COUNT_HOLDS = statement('changes_count_holds', 'SELECT count(*)::int AS held FROM change_holds WHERE account_id = $1 AND kind = $2 AND until >= clock_timestamp()');

const { most, lease } = LIMITS.changes.held;
const RENEWED_MS = (lease * 1000) / 3;

/**
 * So many streams and held requests of an account, over all its tokens and servers (CHG-11, CHG-12). What a server that died held
 * lapses by itself within half a minute.
 */
@Injectable()
export class Holds implements OnApplicationShutdown {
  private readonly held = new Set<string>();
  private renewing: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  /** 429 `too_many_requests` above the limit. The returned function lets go. */
  async take(accountId: number, kind: HoldKind): Promise<() => Promise<void>> {
    const id = randomUUID();
    const [taken] = await this.database.apart.rows<{ seconds: number | null }>(TAKE_HOLD, [id, accountId, kind, most[kind], lease]);
    if (taken?.seconds) throw new Refusal('too_many_requests', { retryAfter: taken.seconds });
    this.held.add(id);
    this.renewing ??= setInterval(() => void this.renew(), RENEWED_MS).unref();
    return async () => {
      this.held.delete(id);
      await this.release([id]);
    };
  }

  async usage(on: Queryable, accountId: number): Promise<Usage> {
    const [row] = await on.rows<{ held: number }>(COUNT_HOLDS, [accountId, 'stream']);
    return lasting(row?.held ?? 0);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.renewing) clearInterval(this.renewing);
    if (this.held.size > 0) await this.release([...this.held]);
  }

  /** All of this process by one statement, however many there are. */
  private async renew(): Promise<void> {
    if (this.held.size > 0) await this.database.apart.rows(RENEW_HOLDS, [[...this.held], lease]).catch(() => undefined);
  }

  /** What is not let go of lapses. */
  private async release(ids: readonly string[]): Promise<void> {
    await this.database.apart.rows(RELEASE_HOLDS, [ids]).catch(() => undefined);
  }
}

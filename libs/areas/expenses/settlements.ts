import { join } from 'node:path';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '#contract/limits';
import { Thread } from '#platform/threads/thread';
import { settle as settleExactly, settleInOneGroup, workOf, type Settlement } from '#settlement/settle';

const { budget_ms, exact_people } = LIMITS.expenses.settlement;

/** The maximum work (`workOf`) of a synchronous computation. This much work takes one or two milliseconds. */
const MAX_SYNCHRONOUS_WORK = 2 ** 11;
/** The maximum work of a short computation. Settling the balances of up to `exact_people` people never exceeds it. */
const MAX_SHORT_WORK = 2 ** (exact_people - 1);
const MAX_CACHED = 500;
const FILE = join(__dirname, 'settlement.thread');

/**
 * Settlements that do not block the event loop. Small settlements are computed immediately. Other settlements are
 * computed in two threads, one for short and one for long computations, so that short computations never wait for long
 * ones. The results of the threads are cached by balances, because expense lists are read more often than written.
 */
@Injectable()
export class Settlements implements OnModuleDestroy {
  private readonly log = new Logger(Settlements.name);
  private readonly shortWorkThread = new Thread<readonly number[], Settlement>(FILE);
  private readonly longWorkThread = new Thread<readonly number[], Settlement>(FILE);
  private readonly cache = new LRUCache<string, Promise<Settlement>>({ max: MAX_CACHED });

  /**
   * Like `settleExactly`, but without blocking the event loop. If a long computation exceeds the time budget, or if a
   * thread fails, this call returns the result of `settleInOneGroup`. Later calls with the same balances return
   * the result of `settleExactly` once it has been computed.
   */
  async settle(balances: readonly number[]): Promise<Settlement> {
    const work = workOf(balances);
    if (work <= MAX_SYNCHRONOUS_WORK) return settleExactly(balances);
    try {
      const settlement = this.inThread(balances, work <= MAX_SHORT_WORK ? this.shortWorkThread : this.longWorkThread);
      return work <= MAX_SHORT_WORK ? await settlement : await withinBudget(settlement, balances);
    } catch (error) {
      this.log.error(error);
      return settleInOneGroup(balances);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.shortWorkThread.stop(), this.longWorkThread.stop()]);
  }

  private inThread(balances: readonly number[], thread: Thread<readonly number[], Settlement>): Promise<Settlement> {
    const key = balances.join();
    const known = this.cache.get(key);
    if (known) return known;
    const settlement = thread.ask(balances);
    this.cache.set(key, settlement);
    settlement.catch(() => this.cache.delete(key));
    return settlement;
  }
}

async function withinBudget(settlement: Promise<Settlement>, balances: readonly number[]): Promise<Settlement> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Settlement>((resolve) => {
    timer = setTimeout(() => resolve(settleInOneGroup(balances)), budget_ms);
  });
  return Promise.race([settlement, late]).finally(() => clearTimeout(timer));
}

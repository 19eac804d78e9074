import { Slots, type SlotsOptions } from './slots';

/**
 * Limits per account (or other key) in addition to a total limit: `Slots` for each key. Keys without work take no
 * memory. Take the share first and the total inside it: work that waits for its share is then not in the total's queue.
 */
export class Shares<Key> {
  private readonly slots = new Map<Key, Slots>();

  constructor(private readonly share: SlotsOptions) {}

  /**
   * Like `Slots.run`, within the key's share.
   * @param key null: work without an account (a job, a command), which has no share
   */
  async run<T>(key: Key | null, work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    if (key === null) return work();
    const own = this.slots.get(key) ?? new Slots(this.share);
    this.slots.set(key, own);
    try {
      return await own.run(work, left);
    } finally {
      if (own.idle) this.slots.delete(key);
    }
  }
}

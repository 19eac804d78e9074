import { Slots, type SlotsOptions } from './slots';

/**
 * Limits per account (or per other key), in addition to a total limit. Each key has its own `Slots`; keys without work
 * use no memory. Acquire the share of the key first, and the total inside it. Work that waits for its share is then not
 * in the queue of the total.
 */
export class Shares<Key> {
  private readonly slots = new Map<Key, Slots>();

  constructor(private readonly share: SlotsOptions) {}

  /**
   * Like `Slots.run`, within the share of `key`.
   *
   * @param key null for work that belongs to no account (a job, a command) and has no share
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

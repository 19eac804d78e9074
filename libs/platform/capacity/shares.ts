import { Slots, type SlotsOptions } from './slots';

/**
 * The share of each account (or other key) in work that has a total as well: `Slots` for each key. Keys without work take no memory.
 * Take the share first and the total inside it, so that what waits for its share takes no place in the queue of all.
 */
export class Shares<Key> {
  private readonly slots = new Map<Key, Slots>();

  constructor(private readonly share: SlotsOptions) {}

  /**
   * As `Slots.run`, within the share of the key.
   * @param key null: nobody's (a job, a command), which has no share
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

import { Slots, type SlotsOptions } from './slots';

/**
 * Limits per account (or per other key), in addition to a total limit. Each key has its own `Slots`; keys without work
 * use no memory. Acquire a slot of the key first, and a slot of the total limit afterwards. Work that waits for a slot
 * of its key is then not in the queue of the total limit.
 */
export class Shares<Key> {
  private readonly slots = new Map<Key, Slots>();

  constructor(private readonly share: SlotsOptions) {}

  /**
   * Like `Slots.run`, with the slots of `key`.
   *
   * @param key null for work that belongs to no account (a job, a command); such work runs without a limit
   */
  async run<T>(key: Key | null, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (key === null) return work();
    const keySlots = this.slots.get(key) ?? new Slots(this.share);
    this.slots.set(key, keySlots);
    try {
      return await keySlots.run(work, signal);
    } finally {
      if (keySlots.idle) this.slots.delete(key);
    }
  }
}

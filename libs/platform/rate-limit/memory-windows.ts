import type { Clock } from '#platform/time/clock';
import { recordOf, type ThrottlerRecord, type Windows } from './request-windows';

interface Counter {
  hits: number;
  readonly endsAt: number;
}

/** Maximum number of keys, which take about 25 MB. Above it the least recently counted key is dropped. */
const MAX_KEYS = 200_000;

/**
 * Request windows of one process. The library's own storage reads the system's clock, but tests and the sandbox use
 * their own clock.
 */
export class MemoryWindows implements Windows {
  readonly place = 'memory';
  /** The key that was counted longest ago comes first, and is dropped when there are too many. */
  private readonly counters = new Map<string, Counter>();

  constructor(
    private readonly clock: Clock,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  async increment(
    key: string,
    windowMs: number,
    limit: number,
    _block: number,
    name: string,
  ): Promise<ThrottlerRecord> {
    const now = this.clock.now().getTime();
    const counter = this.counters.get(`${name}:${key}`);
    // A window longer than `windowMs` was opened before the clock was set back.
    const isOpen = counter && counter.endsAt > now && counter.endsAt - now <= windowMs;
    const current = isOpen ? counter : { hits: 0, endsAt: now + windowMs };
    current.hits += 1;
    this.counters.delete(`${name}:${key}`);
    this.counters.set(`${name}:${key}`, current);
    if (this.counters.size > this.maxKeys) this.counters.delete(this.counters.keys().next().value!);
    return recordOf(current.hits, current.endsAt - now, limit);
  }

  async forget(key: string, name: string): Promise<void> {
    this.counters.delete(`${name}:${key}`);
  }

  async close(): Promise<void> {
    this.counters.clear();
  }
}

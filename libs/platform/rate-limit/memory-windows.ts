import type { Clock } from '#platform/time/clock';
import { recordOf, type ThrottlerRecord, type Windows } from './request-windows';

interface Counter {
  hits: number;
  readonly endsAt: number;
}

/**
 * Maximum number of keys. This number of keys needs about 25 MB. If there are more, the key whose last request is the
 * oldest is dropped.
 */
const MAX_KEYS = 200_000;

/**
 * Request windows in the memory of one process. The storage of @nestjs/throttler is not used, because it reads the
 * system's clock; tests and the sandbox have a different clock.
 */
export class MemoryWindows implements Windows {
  readonly store = 'memory';
  /** The keys in the order of their last requests, the oldest first. */
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
    // If more than `windowMs` remains, the clock was set back after the window was opened. Then a new window begins.
    const isOpen = counter && counter.endsAt > now && counter.endsAt - now <= windowMs;
    const current = isOpen ? counter : { hits: 0, endsAt: now + windowMs };
    current.hits += 1;
    this.counters.delete(`${name}:${key}`);
    this.counters.set(`${name}:${key}`, current);
    if (this.counters.size > this.maxKeys) this.counters.delete(this.counters.keys().next().value!);
    return recordOf(current.hits, current.endsAt - now, limit);
  }

  async forget(name: string, key: string): Promise<void> {
    this.counters.delete(`${name}:${key}`);
  }

  async onApplicationShutdown(): Promise<void> {
    this.counters.clear();
  }
}

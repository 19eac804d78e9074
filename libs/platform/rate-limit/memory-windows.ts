import type { Clock } from '#platform/time/clock';
import { throttlerRecord, type Count, type Windows } from './request-windows';

interface Counter {
  hits: number;
  endsAt: number;
}

/** How many keys are remembered at most; about 25 MB. Beyond that the window that ends first is forgotten. */
const MOST_KEYS = 200_000;

/** How many ended windows each new one clears away: more than one, so that the map shrinks after a flood. */
const SWEPT_AT_ONCE = 4;

/**
 * Request windows of one process: one counter a key, so a hit costs the same whatever the limit is (the library's own
 * store keeps every hit in an array). No timer: the windows of one map are all equally long, so its order of insertion is
 * the order in which they end, and each new window clears ended ones away at the front.
 */
export class MemoryWindows implements Windows {
  readonly place = 'memory';
  /** By the length of the window. */
  private readonly counters = new Map<number, Map<string, Counter>>();

  constructor(
    private readonly clock: Clock,
    private readonly mostKeys = MOST_KEYS,
  ) {}

  hit(key: string, windowMs: number): Count {
    const now = this.clock.now().getTime();
    const counter = this.ofLength(windowMs).get(key);
    if (counter && isOpen(counter, now, windowMs)) {
      counter.hits += 1;
      return { hits: counter.hits, endsInMs: counter.endsAt - now };
    }
    this.open(key, now, windowMs);
    return { hits: 1, endsInMs: windowMs };
  }

  async forget(key: string, windowMs: number): Promise<void> {
    this.ofLength(windowMs).delete(key);
  }

  async increment(...[key, ttl, limit, , name]: Parameters<Windows['increment']>): ReturnType<Windows['increment']> {
    return throttlerRecord(this.hit(`${name}:${key}`, ttl), limit);
  }

  /** How many keys are remembered at the moment. */
  get size(): number {
    return [...this.counters.values()].reduce((sum, counters) => sum + counters.size, 0);
  }

  async close(): Promise<void> {
    this.counters.clear();
  }

  private ofLength(windowMs: number): Map<string, Counter> {
    let counters = this.counters.get(windowMs);
    if (!counters) this.counters.set(windowMs, (counters = new Map<string, Counter>()));
    return counters;
  }

  private open(key: string, now: number, windowMs: number): void {
    const counters = this.ofLength(windowMs);
    counters.delete(key);
    this.sweep(counters, now, windowMs);
    counters.set(key, { hits: 1, endsAt: now + windowMs });
  }

  private sweep(counters: Map<string, Counter>, now: number, windowMs: number): void {
    let swept = 0;
    for (const [key, counter] of counters) {
      const room = counters.size < this.mostKeys;
      if (swept++ === SWEPT_AT_ONCE || (room && isOpen(counter, now, windowMs))) return;
      counters.delete(key);
    }
  }
}

/** A window that would last longer than a window comes from a clock that was set back: it is as good as over. */
function isOpen(counter: Counter, now: number, windowMs: number): boolean {
  return counter.endsAt > now && counter.endsAt - now <= windowMs;
}

import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/time/clock';
import type { Counted } from './discover.query';
import type { DiscoverFilter } from './discover.filter';

/** How many filters' totals a process remembers; the one asked for longest ago goes first. */
const MOST_FILTERS = 2_000;
/** Milliseconds after which a total nobody asked for is counted anew. Far less than changes are kept for. */
const KEPT_MS = 60_000;
/** Joins are not among the changes that are noted, so totals by participants are carried on for a moment only, and only large ones. */
const CROWD = { keptMs: 1_000, from: 1_000 } as const;

interface Entry {
  readonly counted: Counted;
  /** When it was last carried on, and when really counted: milliseconds of a clock that is never set. */
  readonly carriedMs: number;
  readonly countedMs: number;
}

/**
 * Totals of Discover by filter, for everybody (docs/adr/0007-totals.md). A total is counted once and then carried on by every
 * statement that asks for it, so it is exact whoever changes what, on whatever replica.
 */
@Injectable()
export class DiscoverTotals {
  private readonly entries = new Map<string, Entry>();
  private readonly counting = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Asks for a page with what is known of the total, and remembers what it says of it. Of several who ask for a total nobody
   * knows, one counts and the others wait.
   */
  async during<T extends { counted: Counted }>(filter: DiscoverFilter, ask: (known: Counted | null, now: Date) => Promise<T>): Promise<T> {
    const key = JSON.stringify(filter);
    await this.counting.get(key)?.catch(() => undefined);
    const now = this.clock.now();
    const entry = this.usable(key, filter, now);
    const asking = ask(entry?.counted ?? null, now);
    if (!entry) this.mark(key, asking);
    const answer = await asking;
    this.remember(key, answer.counted, entry);
    return answer;
  }

  private usable(key: string, { minParticipants }: DiscoverFilter, now: Date): Entry | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const nowMs = performance.now();
    const fresh = nowMs - entry.carriedMs < KEPT_MS && entry.counted.at <= now;
    const counts = minParticipants === null || (entry.counted.listed >= CROWD.from && nowMs - entry.countedMs < CROWD.keptMs);
    return fresh && counts ? entry : null;
  }

  private mark(key: string, asking: Promise<unknown>): void {
    this.counting.set(key, asking);
    const over = (): void => {
      if (this.counting.get(key) === asking) this.counting.delete(key);
    };
    asking.then(over, over);
  }

  private remember(key: string, counted: Counted, before: Entry | null): void {
    const nowMs = performance.now();
    this.entries.delete(key);
    this.entries.set(key, { counted, carriedMs: nowMs, countedMs: before?.countedMs ?? nowMs });
    if (this.entries.size <= MOST_FILTERS) return;
    for (const oldest of this.entries.keys()) return void this.entries.delete(oldest);
  }
}

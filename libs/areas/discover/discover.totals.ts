import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/time/clock';
import type { DiscoverFilter } from './discover.filter';
import type { Counted } from './discover.query';

/** How many totals a process remembers; the one asked for longest ago goes first. Some 500 bytes each. */
const MOST = { filters: 2_000, viewers: 20_000 } as const;
/** Milliseconds after which a total nobody asked for is counted anew. Far less than changes are kept for. */
const KEPT_MS = 60_000;
/** Joins are not among the changes that are noted, so totals by participants are carried on for a moment only, and only large ones. */
const CROWD = { keptMs: 1_000, from: 1_000 } as const;

/** An answer with the totals that it was counted by. */
export interface CountedAnswer {
  readonly counted: Counted;
}

interface Entry {
  readonly counted: Counted;
  /** When it was last carried on, and when really counted: milliseconds of a clock that is never set. */
  readonly carriedMs: number;
  readonly countedMs: number;
}

/**
 * Totals of Discover by server and filter, for everybody, and of what is hidden from one viewer (docs/adr/0007-totals.md). A total is counted
 * once and then carried on by every statement that asks for it, so it is exact whoever changes what, on whatever replica.
 */
@Injectable()
export class DiscoverTotals {
  private readonly forAll = new LRUCache<string, Entry>({ max: MOST.filters });
  private readonly forViewers = new LRUCache<string, Entry>({ max: MOST.viewers });
  private readonly counting = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** How many totals are remembered. */
  get size(): { filters: number; viewers: number } {
    return { filters: this.forAll.size, viewers: this.forViewers.size };
  }

  /**
   * Asks for a page with what is known of the total, and remembers what it says of it. Of several who ask for a total nobody
   * knows, one counts and the others wait. `server`: the one that is asked. What one has seen means nothing to another that is behind it.
   */
  async during<T extends CountedAnswer>(
    server: string,
    filter: DiscoverFilter,
    viewerId: number,
    ask: (known: Counted | null, now: Date) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(server, filter);
    const own = `${viewerId} ${key}`;
    await this.counting.get(key)?.catch(() => undefined);
    const now = this.clock.now();
    const [forAll, forViewer] = [
      usable(this.forAll.get(key), filter, now),
      usable(this.forViewers.get(own), filter, now),
    ];
    const entry = forViewer ?? forAll;
    const asking = ask(entry && known(entry, forViewer), now);
    if (!entry) this.remember(key, asking);
    const answer = await asking;
    this.carry(key, own, answer.counted, entry?.countedMs ?? performance.now());
    return answer;
  }

  private carry(key: string, own: string, counted: Counted, countedMs: number): void {
    const fresh = { counted, carriedMs: performance.now(), countedMs };
    this.forAll.set(key, fresh);
    this.forViewers.set(own, fresh);
  }

  private remember(key: string, asking: Promise<unknown>): void {
    this.counting.set(key, asking);
    const over = (): void => {
      if (this.counting.get(key) === asking) this.counting.delete(key);
    };
    asking.then(over, over);
  }
}

/** What others counted holds for everybody, but for what is hidden from them. */
function known({ counted }: Entry, forViewer: Entry | null): Counted {
  return forViewer ? counted : { ...counted, hidden: null };
}

/** Equal for equal filters at one server. The cells of a circle or box follow from it, and are many. */
function keyOf(server: string, { near, box, ...rest }: DiscoverFilter): string {
  return JSON.stringify([
    server,
    rest,
    near && [near.lat, near.lng, near.km],
    box && [box.west, box.south, box.east, box.north],
  ]);
}

function usable(entry: Entry | undefined, { minParticipants }: DiscoverFilter, now: Date): Entry | null {
  if (!entry) return null;
  const nowMs = performance.now();
  const fresh = nowMs - entry.carriedMs < KEPT_MS && entry.counted.at <= now;
  const counts =
    minParticipants === null || (entry.counted.listed >= CROWD.from && nowMs - entry.countedMs < CROWD.keptMs);
  return fresh && counts ? entry : null;
}

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

interface OpenTotal {
  /** Null: the statement has to count. */
  readonly known: Counted | null;
  readonly now: Date;
  /** Remembers what the statement returned. */
  store(counted: Counted): void;
  /** Lets requests for the same total go on. */
  release(): void;
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
  private readonly counting = new Map<string, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** How many totals are remembered. */
  get size(): { filters: number; viewers: number } {
    return { filters: this.forAll.size, viewers: this.forViewers.size };
  }

  /**
   * The total that a page carries on. Of several requests for a total that is not known, one counts and the others wait. `server`: the
   * one that is asked. What one server has seen means nothing to another that is behind it. The caller must release the total.
   */
  async open(server: string, filter: DiscoverFilter, viewerId: number): Promise<OpenTotal> {
    const key = keyOf(server, filter);
    const own = `${viewerId} ${key}`;
    await this.counting.get(key);
    const now = this.clock.now();
    const forViewer = usable(this.forViewers.get(own), filter, now);
    const entry = forViewer ?? usable(this.forAll.get(key), filter, now);
    return {
      known: entry && known(entry, forViewer),
      now,
      store: (counted) => this.carry(key, own, counted, entry?.countedMs ?? performance.now()),
      release: entry ? () => undefined : this.claim(key),
    };
  }

  private carry(key: string, own: string, counted: Counted, countedMs: number): void {
    const fresh = { counted, carriedMs: performance.now(), countedMs };
    this.forAll.set(key, fresh);
    this.forViewers.set(own, fresh);
  }

  private claim(key: string): () => void {
    let end: () => void = () => undefined;
    const claimed = new Promise<void>((resolve) => (end = resolve));
    this.counting.set(key, claimed);
    return () => {
      if (this.counting.get(key) === claimed) this.counting.delete(key);
      end();
    };
  }
}

/** What others counted holds for everybody, but for what is hidden from them. */
function known({ counted }: Entry, forViewer: Entry | null): Counted {
  return forViewer ? counted : { ...counted, hidden: null };
}

/** Equal for equal filters at one server. The cells of a circle follow from it, and are many. */
function keyOf(server: string, { near, ...rest }: DiscoverFilter): string {
  return JSON.stringify([server, rest, near && [near.lat, near.lng, near.km]]);
}

function usable(entry: Entry | undefined, { minParticipants, price }: DiscoverFilter, now: Date): Entry | null {
  // A new price is no change that is noted.
  if (!entry || price !== null) return null;
  const nowMs = performance.now();
  const fresh = nowMs - entry.carriedMs < KEPT_MS && entry.counted.at <= now;
  const counts =
    minParticipants === null || (entry.counted.listed >= CROWD.from && nowMs - entry.countedMs < CROWD.keptMs);
  return fresh && counts ? entry : null;
}

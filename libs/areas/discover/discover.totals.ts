import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/time/clock';
import type { DiscoverFilter } from './discover.filter';
import type { Counted } from './discover.query';

/**
 * Maximum number of totals that a process stores, about 500 bytes each. The least recently used total is dropped first.
 */
const MOST = { filters: 2_000, viewers: 20_000 } as const;
/**
 * Milliseconds after which an unused total is counted again; far less than the ten minutes for which changes are
 * stored.
 */
const KEPT_MS = 60_000;
/**
 * Joins are not recorded as changes, so only large totals with `min_participants` are reused, and only for a second.
 */
const CROWD = { keptMs: 1_000, from: 1_000 } as const;

interface OpenTotal {
  /** Null if the statement must count. */
  readonly known: Counted | null;
  readonly now: Date;
  /** Stores the totals that the statement returned. */
  store(counted: Counted): void;
  /** Allows other requests for the same total to continue. */
  release(): void;
}

interface Entry {
  readonly counted: Counted;
  /** When the total was last updated, and when it was last counted, in milliseconds of a monotonic clock. */
  readonly carriedMs: number;
  readonly countedMs: number;
}

/**
 * Totals of Discover by server and filter, for all viewers, and the number of events hidden from one viewer
 * (docs/adr/0007-totals.md). A total is counted once and then updated by every statement that uses it, so it is also
 * exact after changes by other processes and other servers.
 */
@Injectable()
export class DiscoverTotals {
  private readonly forAll = new LRUCache<string, Entry>({ max: MOST.filters });
  private readonly forViewers = new LRUCache<string, Entry>({ max: MOST.viewers });
  private readonly counting = new Map<string, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** The number of remembered totals. */
  get size(): { filters: number; viewers: number } {
    return { filters: this.forAll.size, viewers: this.forViewers.size };
  }

  /**
   * Returns the known totals for the query of a page. The calling code runs the query, stores its totals with `store`,
   * and calls `release`. Of several concurrent queries for an unknown total, one counts and the others wait here.
   * `server`: the server that is queried; a snapshot of one server has no meaning on another server that lags behind
   * it.
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

/** Totals from other viewers' queries are valid for everyone, except the number of events hidden from the viewer. */
function known({ counted }: Entry, forViewer: Entry | null): Counted {
  return forViewer ? counted : { ...counted, hidden: null };
}

/** Equal for equal filters on one server. The cells are omitted, because they follow from the circle or box. */
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

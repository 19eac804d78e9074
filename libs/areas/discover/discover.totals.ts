import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/time/clock';
import type { DiscoverFilter } from './discover.filter';
import type { Counted } from './discover.query';

/**
 * Maximum numbers of totals that a process stores. `filters`: totals for all viewers, one for each filter. `viewers`:
 * totals for one viewer, one for each pair of viewer and filter. Each total takes about 500 bytes. The least recently
 * used total is dropped first.
 */
const MAX_TOTALS = { filters: 2_000, viewers: 20_000 } as const;
/**
 * If no request has used a total for this number of milliseconds, the total is counted again. The time must be much
 * shorter than the ten minutes for which changes of events are stored.
 */
const MAX_AGE_MS = 60_000;
/**
 * Totals with `min_participants` become inexact when people join events, because the number of participants is not
 * recorded as a change. Such a total is reused only for a second after it was counted, and only if at least 1,000
 * events match.
 */
const INEXACT_TOTALS = { maxAgeMs: 1_000, minListed: 1_000 } as const;

interface OpenTotal {
  /** The totals that the statement updates; null if the statement must count. */
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
  readonly updatedMs: number;
  readonly countedMs: number;
}

/**
 * Totals of Discover by database server and filter (docs/adr/0007-totals.md). The number of matching events
 * (`listed`) is the same for all viewers. It includes events that are hidden from a viewer: the viewer's own events,
 * events of people who block the viewer, and events from which the viewer is banned. The number of these events
 * (`hidden`) is stored for each viewer. A total is counted once. Then every statement that uses the total updates it,
 * so it is also exact after changes by other processes, on any machine. The exceptions are `INEXACT_TOTALS`.
 */
@Injectable()
export class DiscoverTotals {
  private readonly forAll = new LRUCache<string, Entry>({ max: MAX_TOTALS.filters });
  private readonly forViewers = new LRUCache<string, Entry>({ max: MAX_TOTALS.viewers });
  private readonly counting = new Map<string, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** The numbers of stored totals. */
  get size(): { filters: number; viewers: number } {
    return { filters: this.forAll.size, viewers: this.forViewers.size };
  }

  /**
   * Returns the known totals for the query of a page. The calling code runs the query, stores the returned totals with
   * `store`, and calls `release`. If several concurrent queries need the same unknown total, the first of them counts
   * it. This method delays the other queries until `release` was called for the first query. `server`: the database
   * server that is queried. Totals are separate for each server, because a total contains a snapshot of PostgreSQL
   * (`Counted.snapshot`), which has no meaning on a server that lags behind.
   */
  async open(server: string, filter: DiscoverFilter, viewerId: number): Promise<OpenTotal> {
    const key = keyOf(server, filter);
    const viewerKey = `${viewerId} ${key}`;
    await this.counting.get(key);
    const now = this.clock.now();
    const forViewer = usableEntry(this.forViewers.get(viewerKey), filter, now);
    const entry = forViewer ?? usableEntry(this.forAll.get(key), filter, now);
    return {
      known: entry && totalsOf(entry, forViewer),
      now,
      store: (counted) => this.storeTotals(key, viewerKey, counted, entry?.countedMs ?? performance.now()),
      release: entry ? () => undefined : this.startCounting(key),
    };
  }

  private storeTotals(key: string, viewerKey: string, counted: Counted, countedMs: number): void {
    const fresh = { counted, updatedMs: performance.now(), countedMs };
    this.forAll.set(key, fresh);
    this.forViewers.set(viewerKey, fresh);
  }

  private startCounting(key: string): () => void {
    let end: () => void = () => undefined;
    const counting = new Promise<void>((resolve) => (end = resolve));
    this.counting.set(key, counting);
    return () => {
      if (this.counting.get(key) === counting) this.counting.delete(key);
      end();
    };
  }
}

/** The stored totals. `hidden` is valid for one viewer only, so it is null if no total of the viewer is stored. */
function totalsOf({ counted }: Entry, forViewer: Entry | null): Counted {
  return forViewer ? counted : { ...counted, hidden: null };
}

/**
 * Returns the same key for equal filters on one server. The key omits the cells, because the circle or the box
 * determines them.
 */
function keyOf(server: string, { near, box, ...rest }: DiscoverFilter): string {
  return JSON.stringify([
    server,
    rest,
    near && [near.lat, near.lng, near.km],
    box && [box.west, box.south, box.east, box.north],
  ]);
}

function usableEntry(entry: Entry | undefined, { minParticipants }: DiscoverFilter, now: Date): Entry | null {
  if (!entry) return null;
  const nowMs = performance.now();
  const isFresh = nowMs - entry.updatedMs < MAX_AGE_MS && entry.counted.at <= now;
  const isAccurate =
    minParticipants === null ||
    (entry.counted.listed >= INEXACT_TOTALS.minListed && nowMs - entry.countedMs < INEXACT_TOTALS.maxAgeMs);
  return isFresh && isAccurate ? entry : null;
}

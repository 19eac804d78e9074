import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/time/clock';
import type { DiscoverFilter } from './discover.filter';
import type { Counted } from './discover.query';

/** Number of totals that a process remembers; the least recently used is dropped first. Some 500 bytes each. */
const MOST = { filters: 2_000, viewers: 20_000 } as const;
/** Milliseconds after which an unused total is counted again. Far less than changes are stored. */
const KEPT_MS = 60_000;
/**
 * Joins are not recorded as changes, so totals by participants are continued for a moment only, and only large ones.
 */
const CROWD = { keptMs: 1_000, from: 1_000 } as const;

/** A response with the totals that belong to it. */
export interface CountedAnswer {
  readonly counted: Counted;
}

interface Entry {
  readonly counted: Counted;
  /** When it was last continued, and when last counted: milliseconds of a monotonic clock. */
  readonly carriedMs: number;
  readonly countedMs: number;
}

/**
 * Totals of Discover by server and filter, for everyone, and the number hidden from one viewer
 * (docs/adr/0007-totals.md). A total is counted once and then continued by every statement that uses it, so it is exact
 * after changes by any process on any server.
 */
@Injectable()
export class DiscoverTotals {
  private readonly forAll = new LRUCache<string, Entry>({ max: MOST.filters });
  private readonly forViewers = new LRUCache<string, Entry>({ max: MOST.viewers });
  private readonly counting = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** The number of remembered totals. */
  get size(): { filters: number; viewers: number } {
    return { filters: this.forAll.size, viewers: this.forViewers.size };
  }

  /**
   * Runs a page's query with the known totals and remembers the result's. Of several concurrent queries for an unknown
   * total, one counts and the others wait. `server`: the server that is queried; a snapshot of one server has no
   * meaning on another that is behind it.
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

/** Counts by other viewers' queries are valid for everyone, except for the number hidden from the viewer. */
function known({ counted }: Entry, forViewer: Entry | null): Counted {
  return forViewer ? counted : { ...counted, hidden: null };
}

/** The same for equal filters at one server. The cells of a circle are left out: the circle determines them. */
function keyOf(server: string, { near, ...rest }: DiscoverFilter): string {
  return JSON.stringify([server, rest, near && [near.lat, near.lng, near.km]]);
}

function usable(entry: Entry | undefined, { minParticipants, price }: DiscoverFilter, now: Date): Entry | null {
  // A changed price is not recorded as a change.
  if (!entry || price !== null) return null;
  const nowMs = performance.now();
  const fresh = nowMs - entry.carriedMs < KEPT_MS && entry.counted.at <= now;
  const counts =
    minParticipants === null || (entry.counted.listed >= CROWD.from && nowMs - entry.countedMs < CROWD.keptMs);
  return fresh && counts ? entry : null;
}

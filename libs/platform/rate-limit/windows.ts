import { normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';

/** Where a key stands in its window after one more request. */
export interface Count {
  /** Requests in this window, this one included; refused ones count too, but never move the end of the window. */
  readonly hits: number;
  /** Milliseconds until the window ends, above 0. */
  readonly endsInMs: number;
}

/**
 * Counters of requests in fixed windows: the first request of a key opens a window, and it ends `windowMs` later
 * whatever comes. Exact under any number of parallel requests.
 *
 * This is the throttler's storage with a shorter way in: `hit` answers at once where it can, so that the hot path of
 * every request neither makes a promise nor waits for one.
 */
export interface Windows extends ThrottlerStorage {
  hit(key: string, windowMs: number): Count | Promise<Count>;
  /** Ends the key's window of that length: its next request opens another. */
  forget(key: string, windowMs: number): Promise<void>;
  /** Where the counters are, for the ready probe and the `doctor`. */
  readonly place: WindowsPlace;
  close(): Promise<void>;
}

/**
 * `primary`: the primary process of this one's workers. `memory-for-redis`: Redis does not answer, so this process (or its primary) counts
 * for itself until it does.
 */
export type WindowsPlace = 'memory' | 'primary' | 'redis' | 'memory-for-redis';

/** What @nestjs/throttler's own storage answers. */
type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A count in the throttler's words: seconds, and no blocking beyond the window. */
export function throttlerRecord(count: Count, limit: number): ThrottlerRecord {
  const seconds = wholeSeconds(count.endsInMs);
  const isBlocked = count.hits > limit;
  return { totalHits: count.hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}

/** Milliseconds as `Retry-After` wants them: whole seconds, rounded up, at least 1. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/**
 * The network that an address (as Fastify gives it) is counted by: an IPv6 address by its /64, which a provider gives to one
 * household and in which a single machine may take any address it likes; IPv4, also mapped into IPv6, as it is.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}

import type { Clock } from '#platform/time/clock';

const DAY_SECONDS = 24 * 60 * 60;
/** A time in the past, in seconds since 1970. */
const PAST = 1;

/**
 * Times for the adapters of oidc-provider. Stored rows have times of `Clock`, but oidc-provider compares times with the
 * system's time. So `lifetimeUntil` and `lifetimeUntilDeleted` return times of the system.
 */
export class LibraryTimes {
  constructor(private readonly clock: Clock) {}

  now(): Date {
    return this.clock.now();
  }

  nowPlus(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }

  nowMinus(seconds: number): Date {
    return this.nowPlus(-seconds);
  }

  /**
   * Returns `exp` and `iat` of a row that expires at `expiresAt`. If `expiresAt` is null, the row is valid until it is
   * deleted.
   */
  lifetimeUntil(expiresAt: Date | null): { exp: number; iat: number } {
    if (expiresAt === null) return this.lifetimeUntilDeleted();
    const remainingSeconds = Math.ceil((expiresAt.getTime() - this.clock.now().getTime()) / 1000);
    const now = systemSeconds();
    return { iat: now, exp: remainingSeconds > 0 ? now + remainingSeconds : PAST };
  }

  /** Returns `exp` and `iat` of a row that is valid until it is deleted: `exp` is always one day after the call. */
  lifetimeUntilDeleted(): { exp: number; iat: number } {
    const now = systemSeconds();
    return { iat: now, exp: now + DAY_SECONDS };
  }
}

function systemSeconds(): number {
  // eslint-disable-next-line no-restricted-syntax -- the library compares with the system's time
  return Math.floor(Date.now() / 1000);
}

import { Clock } from '#platform/time/clock';

const changedClocks = new Set<MovableClock>();

/**
 * A clock that runs like the system's clock, with an offset that a test sets. A test can also stop the clock.
 * libs/testing/jest/each-file.ts resets the clock after each test.
 */
export class MovableClock extends Clock {
  private offset = 0;
  private stoppedAt: Date | null = null;

  override now(): Date {
    return this.stoppedAt ? new Date(this.stoppedAt) : new Date(Date.now() + this.offset);
  }

  /** Stops the clock at `instant` until a test moves or resets it. For tests that depend on an exact second. */
  freezeAt(instant: Date | string): void {
    changedClocks.add(this);
    this.stoppedAt = new Date(instant);
  }

  moveTo(instant: Date | string): void {
    changedClocks.add(this);
    this.stoppedAt = null;
    this.offset = new Date(instant).getTime() - Date.now();
  }

  forward(milliseconds: number): void {
    changedClocks.add(this);
    this.stoppedAt = null;
    this.offset += milliseconds;
  }

  reset(): void {
    this.stoppedAt = null;
    this.offset = 0;
  }
}

export function resetClocks(): void {
  for (const clock of changedClocks) clock.reset();
  changedClocks.clear();
}

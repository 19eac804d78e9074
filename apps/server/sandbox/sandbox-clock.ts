import { Clock } from '#platform/time/clock';

/** A clock that can be set ahead of the system's clock. */
export class SandboxClock extends Clock {
  /** Milliseconds by which this clock is ahead of the system's clock. */
  private ahead = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.ahead);
  }

  get aheadMs(): number {
    return this.ahead;
  }

  moveTo(time: Date): void {
    this.ahead = time.getTime() - super.now().getTime();
  }

  reset(): void {
    this.ahead = 0;
  }
}

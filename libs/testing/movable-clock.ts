import { Clock } from '#platform/time/clock';

/** A clock that runs with the system's, from wherever a test has moved it to. */
export class MovableClock extends Clock {
  private offset = 0;

  override now(): Date {
    return new Date(Date.now() + this.offset);
  }

  moveTo(instant: Date | string): void {
    this.offset = new Date(instant).getTime() - Date.now();
  }

  forward(milliseconds: number): void {
    this.offset += milliseconds;
  }

  reset(): void {
    this.offset = 0;
  }
}

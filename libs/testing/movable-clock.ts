import { Clock } from '#platform/time/clock';

const moved = new Set<MovableClock>();

/** A clock that runs with the system's, from wherever a test has moved it to. It is back after each test. */
export class MovableClock extends Clock {
  private offset = 0;

  override now(): Date {
    return new Date(Date.now() + this.offset);
  }

  moveTo(instant: Date | string): void {
    moved.add(this);
    this.offset = new Date(instant).getTime() - Date.now();
  }

  forward(milliseconds: number): void {
    moved.add(this);
    this.offset += milliseconds;
  }

  reset(): void {
    this.offset = 0;
  }
}

export function resetClocks(): void {
  for (const clock of moved) clock.reset();
  moved.clear();
}

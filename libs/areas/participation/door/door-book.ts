import type { DoorMark } from '#contract/vocabulary';
import { Attendance, instantOf, secondOf, type Mark } from './attendance';

/** A confirmed participant, as the door has to know them. */
export interface Guest {
  readonly userId: number;
  readonly checkedInAt: Date | null;
  /** What they paid, if they did. */
  readonly creditHoldId: number | null;
}

/** What one mark made of somebody: when they came, before and after it. */
export interface RecordedMark {
  readonly before: Date | null;
  readonly after: Date | null;
}

interface Entry {
  readonly guest: Guest;
  readonly attendance: Attendance;
}

/** Before all that is stored, and after it. */
const FIRST = 0;
const LATEST = Number.MAX_SAFE_INTEGER;

/** Some guests of one event, with all that was said of them, while more is being said. */
export class DoorBook {
  private readonly entries = new Map<number, Entry>();
  private readonly added: { userId: number; kind: DoorMark; second: number }[] = [];

  constructor(guests: readonly Guest[], marksOf: ReadonlyMap<number, readonly Mark[]>) {
    for (const guest of guests) {
      const marks = marksOf.get(guest.userId) ?? [];
      this.entries.set(guest.userId, { guest, attendance: new Attendance(marks, guest.creditHoldId === null) });
      // Who came in before there were marks, or was put there by an operator, came in by hand.
      if (marks.length === 0 && guest.checkedInAt !== null)
        this.mark(guest.userId, 'check_in', guest.checkedInAt, FIRST);
    }
  }

  /** Says one thing more of a guest. */
  say(userId: number, kind: DoorMark, at: Date): RecordedMark {
    const before = this.sinceOf(userId);
    this.mark(userId, kind, at, LATEST);
    return { before, after: this.sinceOf(userId) };
  }

  /** Since when a guest is in; null: not in. */
  sinceOf(userId: number): Date | null {
    const since = this.entryOf(userId).attendance.since;
    return since === null ? null : instantOf(since);
  }

  /** What is to be stored, in the order in which it was said. */
  get news(): readonly { userId: number; kind: DoorMark; second: number }[] {
    return this.added;
  }

  /** Who is in since another moment than before, or not any more. */
  get moved(): readonly { guest: Guest; since: Date | null }[] {
    return [...this.entries.values()].flatMap(({ guest }) => {
      const since = this.sinceOf(guest.userId);
      const was = guest.checkedInAt === null ? null : secondOf(guest.checkedInAt);
      return was === (since === null ? null : secondOf(since)) ? [] : [{ guest, since }];
    });
  }

  private mark(userId: number, kind: DoorMark, at: Date, ordinal: number): void {
    const second = secondOf(at);
    if (this.entryOf(userId).attendance.add({ kind, second, ordinal })) this.added.push({ userId, kind, second });
  }

  private entryOf(userId: number): Entry {
    const entry = this.entries.get(userId);
    if (!entry) throw new Error(`user ${userId} is not in this book of the door`);
    return entry;
  }
}

import type { DoorMark } from '#contract/vocabulary';
import { Attendance, instantOf, secondOf, type Mark } from './attendance';

/** A confirmed participant with the columns that the door needs. */
export interface Guest {
  readonly userId: number;
  readonly checkedInAt: Date | null;
  /** The credit hold, if the participant paid. */
  readonly creditHoldId: number | null;
}

/** The effect of a mark: the time of arrival before and after it. */
export interface RecordedMark {
  readonly before: Date | null;
  readonly after: Date | null;
}

interface Entry {
  readonly guest: Guest;
  readonly attendance: Attendance;
}

/** Ordinals before and after all stored marks. */
const FIRST = 0;
const LATEST = Number.MAX_SAFE_INTEGER;

/** Some guests of one event with their stored marks, to which new marks are added. */
export class DoorBook {
  private readonly entries = new Map<number, Entry>();
  private readonly added: { userId: number; kind: DoorMark; second: number }[] = [];

  constructor(guests: readonly Guest[], marksOf: ReadonlyMap<number, readonly Mark[]>) {
    for (const guest of guests) {
      const marks = marksOf.get(guest.userId) ?? [];
      this.entries.set(guest.userId, { guest, attendance: new Attendance(marks, guest.creditHoldId === null) });
      // A check-in from before there were marks, or from an operator's document, counts as one by the endpoint.
      if (marks.length === 0 && guest.checkedInAt !== null)
        this.mark(guest.userId, 'check_in', guest.checkedInAt, FIRST);
    }
  }

  /** Adds a mark of a guest. */
  say(userId: number, kind: DoorMark, at: Date): RecordedMark {
    const before = this.sinceOf(userId);
    this.mark(userId, kind, at, LATEST);
    return { before, after: this.sinceOf(userId) };
  }

  /** When a guest was checked in; null: not checked in. */
  sinceOf(userId: number): Date | null {
    const since = this.entryOf(userId).attendance.since;
    return since === null ? null : instantOf(since);
  }

  /** The marks to be stored, in the order of their addition. */
  get news(): readonly { userId: number; kind: DoorMark; second: number }[] {
    return this.added;
  }

  /** The guests whose time of arrival has changed or been removed. */
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

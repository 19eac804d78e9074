import type { DoorMark } from '#contract/vocabulary';
import { Attendance, instantOf, secondOf, type Mark } from './attendance';

/** A confirmed participant with the columns that check-in needs. */
export interface Guest {
  readonly userId: number;
  readonly checkedInAt: Date | null;
  readonly checkedInBy: string | null;
  /** The credit hold, if the participant paid in credits; otherwise null. */
  readonly creditHoldId: number | null;
}

/**
 * The effect of a mark (a scan, a check-in or an undo): the guest's time of arrival before and after the mark; null if
 * the guest is not checked in.
 */
export interface RecordedMark {
  readonly before: Date | null;
  readonly after: Date | null;
}

interface NewMark {
  readonly userId: number;
  readonly kind: DoorMark;
  readonly second: number;
  readonly by: string | null;
}

interface Entry {
  readonly guest: Guest;
  readonly attendance: Attendance;
}

/** `FIRST` is smaller than the ordinals of all stored marks, and `LATEST` is greater. */
const FIRST = 0;
const LATEST = Number.MAX_SAFE_INTEGER;

/** Guests of one event with their stored marks and their new marks. */
export class DoorBook {
  private readonly entries = new Map<number, Entry>();
  private readonly added: NewMark[] = [];

  constructor(guests: readonly Guest[], marksOf: ReadonlyMap<number, readonly Mark[]>) {
    for (const guest of guests) {
      const marks = marksOf.get(guest.userId) ?? [];
      this.entries.set(guest.userId, { guest, attendance: new Attendance(marks, guest.creditHoldId === null) });
      // An older release, or a file that an operator applied (`cli apply`), may have stored a check-in without a mark.
      // Such a check-in counts as a mark `check_in` whose ordinal is smaller than the ordinals of all stored marks.
      if (marks.length === 0 && guest.checkedInAt !== null)
        this.mark(guest.userId, { kind: 'check_in', at: guest.checkedInAt, by: null }, FIRST);
    }
  }

  /** Adds a mark of a guest. `by`: the name of the door link that sent the mark. */
  addMark(userId: number, kind: DoorMark, at: Date, by: string | null = null): RecordedMark {
    const before = this.arrivalTimeOf(userId);
    this.mark(userId, { kind, at, by }, LATEST);
    return { before, after: this.arrivalTimeOf(userId) };
  }

  /** When the guest was checked in; null if the guest is not checked in. */
  arrivalTimeOf(userId: number): Date | null {
    const { arrival } = this.entryOf(userId).attendance;
    return arrival && instantOf(arrival.second);
  }

  /** The marks to be stored, in the order in which they were added. */
  get newMarks(): readonly NewMark[] {
    return this.added;
  }

  /** The guests whose time of arrival or door link differs from the stored value. */
  get changedGuests(): readonly { guest: Guest; arrivalTime: Date | null; by: string | null }[] {
    return [...this.entries.values()].flatMap(({ guest, attendance: { arrival } }) => {
      const storedSecond = guest.checkedInAt === null ? null : secondOf(guest.checkedInAt);
      const [second, by] = [arrival?.second ?? null, arrival?.by ?? null];
      if (storedSecond === second && guest.checkedInBy === by) return [];
      return [{ guest, arrivalTime: second === null ? null : instantOf(second), by }];
    });
  }

  private mark(
    userId: number,
    { kind, at, by }: { kind: DoorMark; at: Date; by: string | null },
    ordinal: number,
  ): void {
    const second = secondOf(at);
    if (!this.entryOf(userId).attendance.add({ kind, second, ordinal, by })) return;
    // All marks are stored in one statement, which must not contain the same mark twice. A repetition is possible in
    // one case: the constructor has added a check-in that was stored without a mark, and a request to the check-in
    // endpoint adds a check-in in the same second.
    const isRepeated = kind === 'check_in' && this.added.some((one) => one.userId === userId && one.second === second);
    if (!isRepeated) this.added.push({ userId, kind, second, by });
  }

  private entryOf(userId: number): Entry {
    const entry = this.entries.get(userId);
    if (!entry) throw new Error(`user ${userId} is not a guest of this DoorBook`);
    return entry;
  }
}

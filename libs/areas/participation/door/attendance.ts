import type { DoorMark } from '#contract/vocabulary';

/** A recorded scan, undo, check-in or undone check-in of a person at the door. */
export interface Mark {
  /**
   * `scan`, `undo`: from devices, by their clocks. `check_in`, `undo_check_in`: from the check-in endpoints, by the
   * server's clock.
   */
  readonly kind: DoorMark;
  /** Whole seconds since 1970. */
  readonly second: number;
  /** In the order of commits; that of a new mark is greater than all stored ones. */
  readonly ordinal: number;
}

const SECOND_MS = 1000;

export function secondOf(instant: Date): number {
  return Math.floor(instant.getTime() / SECOND_MS);
}

export function instantOf(second: number): Date {
  return new Date(second * SECOND_MS);
}

/**
 * A person's time of arrival, computed from all marks of the current participation (DOOR-9 to DOOR-12).
 *
 * Marks of devices are a set: an undo cancels every scan before it and in its second, so the result depends neither on
 * their order nor on repetitions. Marks of the endpoints also act in the order of commits: a check-in or its undo takes
 * effect even if a device has dated a mark later by its own clock.
 */
export class Attendance {
  /** Seconds of devices' scans and undos, each with the ordinal of its first mark. */
  private readonly scans = new Map<number, number>();
  private readonly undos = new Map<number, number>();
  private readonly checkIns: Mark[] = [];
  private lastUndo = -Infinity;
  /** The endpoint's latest undo. */
  private readonly lastByHand = { second: -Infinity, ordinal: -Infinity };

  /** @param undoable false: paid in credits, so undos have no effect */
  constructor(
    marks: readonly Mark[],
    private readonly undoable: boolean,
  ) {
    for (const mark of marks) this.add(mark);
  }

  /** False if the mark has no effect, now or later: a device's repeated mark, or an undo that does not count. */
  add(mark: Mark): boolean {
    const { kind, second, ordinal } = mark;
    if (kind === 'check_in') this.checkIns.push(mark);
    else if (kind === 'scan') return addTo(this.scans, mark);
    else if (!this.undoable) return false;
    else if (kind === 'undo') {
      this.lastUndo = Math.max(this.lastUndo, second);
      return addTo(this.undos, mark);
    } else {
      this.lastByHand.second = Math.max(this.lastByHand.second, second);
      this.lastByHand.ordinal = Math.max(this.lastByHand.ordinal, ordinal);
    }
    return true;
  }

  /** The second of the arrival; null: not checked in. */
  get since(): number | null {
    let earliest = Infinity;
    for (const [second, ordinal] of this.scans)
      if (second < earliest && this.stands(second, ordinal)) earliest = second;
    for (const mark of this.checkIns) if (mark.second < earliest && this.standsByHand(mark)) earliest = mark.second;
    return earliest === Infinity ? null : earliest;
  }

  private stands(second: number, ordinal: number): boolean {
    return second > this.lastUndo && second > this.lastByHand.second && ordinal > this.lastByHand.ordinal;
  }

  private standsByHand({ second, ordinal }: Mark): boolean {
    if (ordinal < this.lastByHand.ordinal) return false;
    for (const [undone, undoOrdinal] of this.undos) if (undone >= second && undoOrdinal > ordinal) return false;
    return true;
  }
}

function addTo(seconds: Map<number, number>, { second, ordinal }: Mark): boolean {
  if (seconds.has(second)) return false;
  seconds.set(second, ordinal);
  return true;
}

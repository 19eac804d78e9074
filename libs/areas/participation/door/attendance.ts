import type { DoorMark } from '#contract/vocabulary';

/** One thing that was said about somebody at the door. */
export interface Mark {
  /** `scan`, `undo`: of a device, by its clock. `check_in`, `undo_check_in`: of the check-in endpoints, by ours. */
  readonly kind: DoorMark;
  /** Whole seconds since 1970. */
  readonly second: number;
  /** In the order of commits; of what is being added it is greater than of all that is stored. */
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
 * Whether and since when somebody is in, from all that was said of their present participation (DOOR-9 to DOOR-12).
 *
 * Marks of devices are a set: an undo beats every scan before it and in its second, so what is left depends neither on their order
 * nor on how often they come. Marks of the endpoints also beat, and are beaten, in the order of commits: whoever asks for a check-in
 * or its undo gets it, whatever a device with a clock of its own has dated later.
 */
export class Attendance {
  /** Seconds of devices' scans and undos, with the ordinal of the first of each. */
  private readonly scans = new Map<number, number>();
  private readonly undos = new Map<number, number>();
  private readonly checkIns: Mark[] = [];
  private lastUndo = -Infinity;
  /** Of the endpoint's undos. */
  private readonly lastByHand = { second: -Infinity, ordinal: -Infinity };

  /** @param undoable false: paid in credits, so that undos do not count */
  constructor(
    marks: readonly Mark[],
    private readonly undoable: boolean,
  ) {
    for (const mark of marks) this.add(mark);
  }

  /** False for what changes nothing, now or later: a device's mark that is there already, an undo that does not count. */
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

  /** The second in which they came in; null: not in. */
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

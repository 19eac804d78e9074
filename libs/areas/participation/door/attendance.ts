import type { DoorMark } from '#contract/vocabulary';

/** A recorded scan or check-in of a person, or the undo of a scan or check-in. */
export interface Mark {
  /**
   * `scan` and `undo` are sent by devices, with the time of the device. `check_in` and `undo_check_in` come from the
   * check-in endpoints, with the time of the server.
   */
  readonly kind: DoorMark;
  /** Whole seconds since 1970. */
  readonly second: number;
  /** Position in the order of commits; a new mark has a greater ordinal than all stored marks. */
  readonly ordinal: number;
  /** The name of the door link that sent a scan; null for the organizer. */
  readonly by: string | null;
}

const SECOND_MS = 1000;

export function secondOf(instant: Date): number {
  return Math.floor(instant.getTime() / SECOND_MS);
}

export function instantOf(second: number): Date {
  return new Date(second * SECOND_MS);
}

/** The time at which a person arrived, and the door link that reported it. */
export interface Arrival {
  /** Whole seconds since 1970. */
  readonly second: number;
  /** The name of the door link that sent the scan; null for the organizer. */
  readonly by: string | null;
}

/**
 * A person's time of arrival, computed from all marks of the current participation (DOOR-9 to DOOR-12).
 *
 * - An undo by a device cancels every scan with an earlier time or in the same second. So the order in which the marks
 *   of devices arrive, and repetitions of these marks, do not change the result.
 * - Marks of the check-in endpoints take effect in the order of commits, even if a device has already sent a mark with
 *   a later time.
 * - An undo by the check-in endpoint cancels all check-ins and scans that were committed before it. It also cancels a
 *   scan that arrives later, unless the time of the scan is later than the time of the undo.
 * - If the undo of a device arrives after a check-in, it cancels the check-in, unless the time of the undo is earlier
 *   than the time of the check-in.
 */
export class Attendance {
  /** For each second with scans of devices: the ordinal of the first scan, and the sender of the scan that counts. */
  private readonly scans = new Map<number, Pick<Mark, 'ordinal' | 'by'>>();
  /** For each second with undos of devices, the ordinal of the first undo. */
  private readonly undos = new Map<number, number>();
  private readonly checkIns: Mark[] = [];
  /** The greatest second of all undos of devices. */
  private lastUndoByDevice = -Infinity;
  /** The greatest second and the greatest ordinal of all undos from the check-in endpoints. */
  private readonly lastUndoByEndpoint = { second: -Infinity, ordinal: -Infinity };

  /** @param undoable false if the person paid in credits: undos then have no effect */
  constructor(
    marks: readonly Mark[],
    private readonly undoable: boolean,
  ) {
    for (const mark of marks) this.add(mark);
  }

  /**
   * Adds a mark. Returns false if the mark has no effect: an undo by a device in a second that already has such an
   * undo, a scan that does not count (`addScan`), or an undo for a person who paid in credits.
   */
  add(mark: Mark): boolean {
    const { kind, second, ordinal } = mark;
    if (kind === 'check_in') this.checkIns.push(mark);
    else if (kind === 'scan') return this.addScan(mark);
    else if (!this.undoable) return false;
    else if (kind === 'undo') {
      this.lastUndoByDevice = Math.max(this.lastUndoByDevice, second);
      if (this.undos.has(second)) return false;
      this.undos.set(second, ordinal);
      return true;
    } else {
      this.lastUndoByEndpoint.second = Math.max(this.lastUndoByEndpoint.second, second);
      this.lastUndoByEndpoint.ordinal = Math.max(this.lastUndoByEndpoint.ordinal, ordinal);
    }
    return true;
  }

  /** Null if the person is not checked in. */
  get arrival(): Arrival | null {
    let earliest: Arrival | null = null;
    const isEarlier = (second: number): boolean => earliest === null || second < earliest.second;
    // Check-ins come first, because in the same second the organizer's check-in counts instead of a scan (DOOR-24).
    for (const mark of this.checkIns)
      if (isEarlier(mark.second) && this.isValidCheckIn(mark)) earliest = { second: mark.second, by: null };
    for (const [second, { ordinal, by }] of this.scans)
      if (isEarlier(second) && this.isValidScan(second, ordinal)) earliest = { second, by };
    return earliest;
  }

  /**
   * Adds a scan. Returns false if it does not count. Of several scans in the same second, only one counts: the
   * organizer's scan, or if there is none, the scan of the link whose name is first in the order of character codes
   * (DOOR-24). The order in which the scans arrive has no effect.
   */
  private addScan({ second, ordinal, by }: Mark): boolean {
    const stored = this.scans.get(second);
    if (stored && (stored.by === null || (by !== null && by >= stored.by))) return false;
    this.scans.set(second, { ordinal: stored?.ordinal ?? ordinal, by });
    return true;
  }

  private isValidScan(second: number, ordinal: number): boolean {
    return (
      second > this.lastUndoByDevice &&
      second > this.lastUndoByEndpoint.second &&
      ordinal > this.lastUndoByEndpoint.ordinal
    );
  }

  private isValidCheckIn({ second, ordinal }: Mark): boolean {
    if (ordinal < this.lastUndoByEndpoint.ordinal) return false;
    for (const [undoSecond, undoOrdinal] of this.undos) if (undoSecond >= second && undoOrdinal > ordinal) return false;
    return true;
  }
}

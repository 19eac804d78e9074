import { Injectable } from '@nestjs/common';
import type { ChangeType } from '#contract/changes';
import { Settings } from '#platform/config/settings';
import { CursorSealer, type Cursor } from '#platform/changes/cursor';
import { Snapshot } from '#platform/changes/snapshot';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { personResource } from '../identity/person.resource';
import type { ChangeResource } from './change.resource';
import { SELECT_NEW_CHANGES, NOW_OF_CHANGES, type ChangeRow, type NewsRow } from './judging/change-rows.query';
import { judged, type PathName, type SubjectName, type VisibleChange } from './judging/judgement';
import { ThingsToJudge, type JudgedThings } from './judging/judged-things';

/** Parameters of a read from the feed. */
export interface ChangesWanted {
  /** null: all. */
  readonly types: ReadonlySet<ChangeType> | null;
  readonly limit: number;
}

/** The changes since a cursor, and the next cursor. */
export interface NewChanges {
  readonly entries: readonly ChangeResource[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Rows of one query, with the parts of their cursor. */
interface Batch {
  readonly rows: readonly ChangeRow[];
  readonly base: Snapshot;
  readonly at: Date;
  /** The snapshot that has been delivered after all rows. */
  readonly until: Snapshot;
  readonly untilAt: Date;
  /** Whether the log has more rows of the same batch. */
  readonly isCut: boolean;
  /** Whether there are more rows after the batch. */
  readonly goesOn: boolean;
}

/** Maximum number of rows per query. */
const MOST_ROWS = 500;
/**
 * Maximum number of queries per call: after many irrelevant rows the page is empty, and the client continues from its
 * cursor.
 */
const MOST_READINGS = 20;
/** Milliseconds by which a row can be older than a snapshot that does not see it: no transaction is open longer. */
const LONGEST_TRANSACTION = 24 * 3_600_000;

/**
 * The feed of changes of one account (CHG-1): ordered, and filtered by visibility when it is read. A cursor is a
 * snapshot of the delivered rows; the next rows are those that it does not see. The rows of one query are in the order
 * of writing.
 */
@Injectable()
export class ChangesReader {
  constructor(
    private readonly database: Database,
    private readonly things: ThingsToJudge,
    private readonly cursors: CursorSealer,
    private readonly settings: Settings,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The current end of the feed: earlier changes are not delivered after this cursor. */
  async now(): Promise<string> {
    const [row] = await this.database.rows<{ seen: string; now: Date }>(NOW_OF_CHANGES);
    if (!row) throw new Error('the log has no place');
    return this.cursors.seal({ at: row.now, base: snapshotOf(row.seen), within: null });
  }

  /** 422 on `cursor` for an invalid one, 410 `cursor_expired` for one from before the stored changes. */
  refuseCursor(sealed: string): void {
    this.open(sealed);
  }

  /**
   * The changes since the cursor that the viewer may see now, at most `limit`. Refuses like `refuseCursor`, and a
   * cursor ahead of the feed (422 on `cursor`).
   */
  async after(viewer: { readonly id: number }, sealed: string, { types, limit }: ChangesWanted): Promise<NewChanges> {
    const entries: ChangeResource[] = [];
    let cursor = this.open(sealed);
    for (let readings = 0; readings < MOST_READINGS; readings++) {
      const batch = await this.batch(viewer.id, cursor);
      const things = await this.things.of(viewer.id, batch.rows);
      for (const row of batch.rows) {
        const entry = this.visibleChanges(row, batch, things, types);
        if (!entry) continue;
        if (entries.length === limit) return { entries, cursor: entries.at(-1)?.cursor ?? sealed, hasMore: true };
        entries.push(entry);
      }
      cursor = batch.isCut
        ? cursorAfter(batch, batch.rows.at(-1))
        : { at: batch.untilAt, base: batch.until, within: null };
      if (!batch.isCut && !batch.goesOn) return { entries, cursor: this.cursors.seal(cursor), hasMore: false };
    }
    return { entries, cursor: this.cursors.seal(cursor), hasMore: true };
  }

  /** The next rows: all new ones if they are few, else those of the oldest transactions. */
  private async batch(viewerId: number, { at, base, within }: Cursor): Promise<Batch> {
    const values = [
      viewerId,
      base.toString(),
      within?.until.toString() ?? null,
      within?.id ?? 0n,
      new Date(at.getTime() - LONGEST_TRANSACTION),
      MOST_ROWS + 1,
    ];
    const found = await this.database.rows<NewsRow>(SELECT_NEW_CHANGES, values);
    const [first] = found;
    if (!first) throw new Error('the log has no place');
    const seen = snapshotOf(first.seen);
    if (base.xmax > seen.xmax || (within && within.until.xmax > seen.xmax)) throw Refusal.invalid('cursor', 'cursor');
    const rows = found.filter((row): row is NewsRow & ChangeRow => row.id !== null);
    const isAll = rows.length <= MOST_ROWS;
    if (within) {
      // One transaction may have more rows than a query reads; they are read in the order of ids.
      return {
        rows: byId(rows.slice(0, MOST_ROWS)),
        base,
        at,
        until: within.until,
        untilAt: at,
        isCut: !isAll,
        goesOn: true,
      };
    }
    if (isAll) return { rows: byId(rows), base, at, until: seen, untilAt: first.now, isCut: false, goesOn: false };
    const [start, beyond] = [BigInt(rows[0]?.xid ?? 0), BigInt(rows[MOST_ROWS]?.xid ?? 0)];
    const end = beyond > start ? beyond : start + 1n;
    const until = base.towards(seen, end);
    return {
      rows: byId(rows.slice(0, MOST_ROWS).filter(({ xid }) => BigInt(xid) < end)),
      base,
      at,
      until,
      untilAt: at,
      isCut: beyond === start,
      goesOn: true,
    };
  }

  private visibleChanges(
    row: ChangeRow,
    batch: Batch,
    things: JudgedThings,
    types: ChangesWanted['types'],
  ): ChangeResource | null {
    const told = judged(row, things);
    if (!told || (types && !types.has(told.type))) return null;
    const by = told.byId === null ? undefined : things.people.get(told.byId);
    return {
      cursor: this.cursors.seal(cursorAfter(batch, row)),
      at: toWire(row.at),
      type: told.type,
      subject: { type: told.subject.type, id: this.nameOf(told.subject.name), url: this.urlOf(told.path) },
      by: by ? personResource(by, this.wire) : null,
    } satisfies ChangeResource & { type: VisibleChange['type'] };
  }

  private nameOf(name: SubjectName): string {
    return 'text' in name ? name.text : this.wire.id(name.kind, name.id);
  }

  private urlOf(path: PathName): string {
    return this.wire.page(
      `/api/v1${path.map((part) => (typeof part === 'string' ? part : this.nameOf(part))).join('')}`,
    );
  }

  private open(sealed: string): Cursor {
    const cursor = this.cursors.open(sealed);
    if (!cursor) throw Refusal.invalid('cursor', 'cursor');
    if (cursor.at.getTime() < this.clock.now().getTime() - this.settings.changesKeepSeconds * 1000)
      throw new Refusal('cursor_expired');
    return cursor;
  }
}

function cursorAfter({ at, base, until }: Batch, row: ChangeRow | undefined): Cursor {
  return { at, base, within: { until, id: BigInt(row?.id ?? 0) } };
}

function byId(rows: readonly ChangeRow[]): readonly ChangeRow[] {
  return [...rows].sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
}

function snapshotOf(text: string): Snapshot {
  const snapshot = Snapshot.parse(text);
  if (!snapshot) throw new Error(`this is no snapshot: ${text}`);
  return snapshot;
}

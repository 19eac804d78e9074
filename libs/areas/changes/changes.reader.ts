import { Injectable } from '@nestjs/common';
import type { ChangeType } from '#contract/changes';
import { Settings } from '#platform/config/settings';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { CursorSealer, type Cursor, type FormerCursor } from '#platform/changes/cursor';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from '../identity/caller.reader';
import { personResource } from '../identity/person.resource';
import type { ChangeResource } from './change.resource';
import {
  END_OF_CHANGES,
  NUMBER_OF_FORMER_CURSOR,
  SELECT_NEW_CHANGES,
  type ChangeRow,
  type EndOfChanges,
  type NewChangeRow,
} from './visibility/change-rows.query';
import { visibleChange, type PathName, type SubjectName, type VisibleChange } from './visibility/visible-change';
import { SubjectStatesLoader, type SubjectStates, type Viewer } from './visibility/subject-states';
import { objectNameOf, type ObjectName } from './objects/object-name';

/** The viewer of the feed: the account of the token, and the token's scopes. */
export function viewerOf({ id, token }: Caller): Viewer {
  return { id, scopes: token.scopes };
}

/** Parameters of a read from the feed. */
export interface ChangesOptions {
  /** Null for all types. */
  readonly types: ReadonlySet<ChangeType> | null;
  readonly limit: number;
}

/** The changes after a cursor, and the cursor for the next request. */
export interface NewChanges {
  readonly entries: readonly ChangeResource[];
  /** For each entry, the name of the object at `subject.url`; null if there is no object to show. */
  readonly objects: readonly (ObjectName | null)[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Maximum number of rows that one call of `readRows` returns. */
const MAX_ROWS = 500;
/**
 * Maximum number of calls of `readRows` for one page. If all their rows are hidden from the viewer or have types that
 * were not requested, the page is empty, and the next request continues after these rows.
 */
const MAX_READS = 20;
/**
 * An entry can be older than an entry with a lower number. The difference is at most this number of milliseconds,
 * because no transaction stays open for a longer time.
 */
const LONGEST_TRANSACTION_MS = 24 * 3_600_000;

/**
 * The feed of changes of one account (CHG-1). Entries are read in the order of their numbers, which is the same for
 * every reader. The content of an entry is determined when the entry is read.
 */
@Injectable()
export class ChangesReader {
  constructor(
    private readonly database: Database,
    private readonly sequencer: ChangeSequencer,
    private readonly states: SubjectStatesLoader,
    private readonly cursors: CursorSealer,
    private readonly settings: Settings,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Milliseconds after which a stream or webhook without changes reads the feed again. Reading the feed moves the
   * position of the stream or webhook forward, so that the position does not expire while nothing happens.
   */
  get maxIdleMs(): number {
    return (this.settings.changesKeepSeconds * 1000) / 2;
  }

  /** The cursor of the end of the feed. */
  async endCursor(): Promise<string> {
    await this.sequencer.numberEntries();
    const [end] = await this.database.rows<EndOfChanges>(END_OF_CHANGES);
    if (!end) throw new Error('the table change_feed has no row');
    return this.cursors.seal({ at: end.now, number: BigInt(end.last) });
  }

  /**
   * Throws 422 for the field `cursor` if the text is not a cursor of this installation, or if the position of the
   * cursor is after the end of the feed. Throws 410 `cursor_expired` if the cursor is older than the stored entries.
   */
  async refuseInvalidCursor(sealed: string): Promise<void> {
    await this.positionOf(sealed);
  }

  /**
   * Returns at most `limit` entries after the cursor, with the data that the viewer can see now. Throws the same errors
   * as `refuseInvalidCursor`.
   */
  async after(viewer: Viewer, sealed: string, { types, limit }: ChangesOptions): Promise<NewChanges> {
    let cursor = await this.positionOf(sealed);
    const entries: ChangeResource[] = [];
    const objects: (ObjectName | null)[] = [];
    for (let reads = 0; reads < MAX_READS; reads++) {
      const { rows, end, moreFollow } = await this.readRows(viewer.id, cursor);
      const states = await this.states.of(viewer, rows);
      for (const row of rows) {
        const visible = visibleChange(row, states);
        if (!visible || (types && !types.has(visible.type))) continue;
        if (entries.length === limit)
          return { entries, objects, cursor: entries.at(-1)?.cursor ?? sealed, hasMore: true };
        entries.push(this.entry(row, visible, states));
        objects.push(objectNameOf(row, visible, states));
      }
      cursor = moreFollow ? cursorAfter(rows.at(-1), end) : end;
      if (!moreFollow) return { entries, objects, cursor: this.cursors.seal(end), hasMore: false };
    }
    return { entries, objects, cursor: this.cursors.seal(cursor), hasMore: true };
  }

  /**
   * Whether the viewer still sees the entry with this cursor. Also true for an invalid cursor, and for a cursor in the
   * former format, because the former format does not contain the number of an entry.
   */
  async isVisible(viewer: Viewer, sealed: string): Promise<boolean> {
    const cursor = this.cursors.open(sealed);
    if (!cursor || !('number' in cursor)) return true;
    const { rows } = await this.readRows(viewer.id, { at: cursor.at, number: cursor.number - 1n }, 1);
    const row = rows.find(({ id }) => BigInt(id) === cursor.number);
    return row !== undefined && visibleChange(row, await this.states.of(viewer, [row])) !== null;
  }

  /**
   * The cursor of the position right before the entry with this cursor. An invalid cursor and a cursor in the former
   * format are returned unchanged.
   */
  cursorBefore(sealed: string): string {
    const cursor = this.cursors.open(sealed);
    if (!cursor || !('number' in cursor)) return sealed;
    return this.cursors.seal({ at: cursor.at, number: cursor.number - 1n });
  }

  private async positionOf(sealed: string): Promise<Cursor> {
    const opened = this.openCursor(sealed);
    const last = await this.sequencer.numberEntries();
    const cursor = 'number' in opened ? opened : await this.fromFormerCursor(opened, last);
    if (cursor.number > last) throw Refusal.invalid('cursor', 'cursor');
    return cursor;
  }

  /**
   * The next rows that may concern the viewer, at most `max`; the cursor of the end of the feed; and whether more rows
   * follow.
   */
  private async readRows(
    viewerId: number,
    { at, number }: Cursor,
    max = MAX_ROWS,
  ): Promise<{ rows: readonly ChangeRow[]; end: Cursor; moreFollow: boolean }> {
    const oldest = new Date(at.getTime() - LONGEST_TRANSACTION_MS);
    const found = await this.database.rows<NewChangeRow>(SELECT_NEW_CHANGES, [viewerId, number, max + 1, oldest]);
    const [first] = found;
    if (!first) throw new Error('the table change_feed has no row');
    const end = { at: first.now, number: BigInt(first.last) };
    if (number > end.number) throw Refusal.invalid('cursor', 'cursor');
    const rows = found.filter((row): row is NewChangeRow & ChangeRow => row.id !== null);
    return { rows: rows.slice(0, max), end, moreFollow: rows.length > max };
  }

  /**
   * Converts a cursor of the former format, which contains a snapshot. `last` is the number of the last entry of the
   * feed. Throws 422 for the field `cursor` if the snapshot comes from another database.
   */
  private async fromFormerCursor({ at, base, within }: FormerCursor, last: bigint): Promise<Cursor> {
    const values = [base, within?.until ?? null, within?.id ?? null, new Date(at.getTime() - LONGEST_TRANSACTION_MS)];
    const [found] = await this.database.rows<{ number: string | null; is_ahead: boolean }>(
      NUMBER_OF_FORMER_CURSOR,
      values,
    );
    if (!found || found.is_ahead) throw Refusal.invalid('cursor', 'cursor');
    return { at, number: found.number === null ? last : BigInt(found.number) };
  }

  private entry(row: ChangeRow, visible: VisibleChange, states: SubjectStates): ChangeResource {
    const { type, subject, path, byId } = visible;
    const by = byId === null ? undefined : states.people.get(byId);
    const eventId = eventOf(row, visible);
    return {
      id: this.cursors.entryId(BigInt(row.id)),
      cursor: this.cursors.seal({ at: row.at, number: BigInt(row.id) }),
      at: toWire(row.at),
      type,
      subject: {
        type: subject.type,
        id: this.nameOf(subject.name),
        url: this.urlOf(path),
        event: eventId === null ? null : this.wire.id('event', eventId),
        group: this.ownerIn(path, '/groups/'),
        post: this.ownerIn(path, '/posts/'),
        user:
          (subject.type === 'participant' || subject.type === 'member') && 'text' in subject.name
            ? subject.name.text
            : null,
      },
      by: by ? personResource(by, this.wire) : null,
    };
  }

  private nameOf(name: SubjectName): string {
    return 'text' in name ? name.text : this.wire.id(name.kind, name.id);
  }

  /** The id or slug after `prefix`, if the path begins with `prefix`; otherwise null. */
  private ownerIn([first, owner]: PathName, prefix: '/groups/' | '/posts/'): string | null {
    return first === prefix && typeof owner === 'object' ? this.nameOf(owner) : null;
  }

  private urlOf(path: PathName): string {
    return this.wire.page(
      `/api/v1${path.map((part) => (typeof part === 'string' ? part : this.nameOf(part))).join('')}`,
    );
  }

  private openCursor(sealed: string): Cursor | FormerCursor {
    const cursor = this.cursors.open(sealed);
    if (!cursor) throw Refusal.invalid('cursor', 'cursor');
    if (cursor.at.getTime() < this.clock.now().getTime() - this.settings.changesKeepSeconds * 1000)
      throw new Refusal('cursor_expired');
    return cursor;
  }
}

function cursorAfter(row: ChangeRow | undefined, end: Cursor): Cursor {
  return row ? { at: row.at, number: BigInt(row.id) } : end;
}

/** The event of an entry: the subject itself, or the event that contains the subject; null if there is none. */
function eventOf(row: ChangeRow, { subject }: VisibleChange): number | null {
  if (subject.type === 'event' && 'kind' in subject.name) return subject.name.id;
  return row.topic_kind === 'event' ? Number(row.topic_id) : null;
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '#platform/database/database';
import { jsonAround, RenderedJson } from '#platform/http/rendered-json';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { participantsOf } from '../events/event-relation';
import { isBoosted } from '../events/event.resource';
import type { Caller } from '../identity/caller.reader';
import {
  eventViewerResource,
  sharedEventResource,
  type SharedEventRow,
} from '../participation/event-for-viewer.resource';
import { EVENTS_TO_RENDER, type CompactRow } from './discover.query';

/**
 * Maximum size of the JSON that a process keeps in memory, in characters, including OVERHEAD for each event. A
 * character takes one byte, or two if the text has letters outside of Latin-1. The maximum is enough for about 10,000
 * events. The least recently shown event is dropped first.
 */
const MAX_SIZE = 32 * 2 ** 20;
/** Estimated memory per event besides its text, in the unit of MAX_SIZE. */
const OVERHEAD = 1_000;

type RowToRender = SharedEventRow & Pick<CompactRow, 'shared_fingerprint'>;

/** The columns of a row that are needed besides `pieces`, which already contains the texts of the row. */
const KEPT_COLUMNS = [
  'shared_fingerprint',
  'organizer_id',
  'is_public',
  'status',
  'starts_at',
  'over_at',
  'join_mode',
  'max_participants',
  'ticket_price_credits',
  'waitlist_mode',
  'age_min',
  'age_max',
  'gender_restriction',
  'boosted_until',
  'latitude',
  'longitude',
] as const satisfies readonly (keyof RowToRender)[];
type KeptColumns = Pick<RowToRender, (typeof KEPT_COLUMNS)[number]>;

/** One version of an event, with the fields that are the same for all viewers. */
interface RenderedEvent extends KeptColumns {
  /** The event's JSON in pieces; the values of GAPS are inserted between them. */
  readonly pieces: readonly string[];
}

/**
 * A rendered event with the viewer's own values. `blocked` is false, because Discover omits events of people who block
 * the viewer.
 */
export type ListedEvent = RenderedEvent & CompactRow & { readonly blocked: false };

/**
 * Fields that the fingerprint (`shared_fingerprint`) does not cover: they change with the number of participants or
 * with the time, or depend on the viewer.
 */
const GAPS = ['current_participants', 'group', 'is_boosted', 'viewer'] as const;

/**
 * Events as JSON, each serialized once for all viewers (docs/adr/0310-rendered-events.md). The statement that finds the
 * page also returns the fingerprint of each event. A process therefore never shows outdated JSON, and servers need not
 * notify each other of changes.
 */
@Injectable()
export class RenderedEvents {
  private readonly known = new LRUCache<string, RenderedEvent>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ pieces }) => pieces.reduce((size, piece) => size + piece.length, OVERHEAD),
  });

  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the events of these rows, in the order of the rows. Each event has the same fingerprint as its row. Returns
   * null if one of the events was changed or deleted after the rows were read.
   */
  async eventsOf(rows: readonly CompactRow[]): Promise<readonly ListedEvent[] | null> {
    const known = rows.map((row) => listedIfCurrent(row, this.known.get(row.id)));
    const missing = rows.filter((_, i) => known[i] === null).map(({ id }) => id);
    const read = missing.length === 0 ? null : await this.read(missing);
    const events = rows.map((row, i) => known[i] ?? listedIfCurrent(row, read?.get(row.id)));
    return events.every((event) => event !== null) ? events : null;
  }

  /**
   * Returns the same JSON as the resource that `discoverEventResource` creates.
   * @param distanceKm undefined if no distance was requested
   */
  json(event: ListedEvent, distanceKm: number | undefined, caller: Caller): RenderedJson {
    const now = this.clock.now();
    const [start, afterCount, afterGroup, afterBoosted, end] = event.pieces;
    const group = JSON.stringify(this.wire.idOrNull('group', event.group_id));
    const viewer = JSON.stringify(eventViewerResource(event, caller, now));
    const distance = distanceKm === undefined ? '' : `,"distance_km":${distanceKm}`;
    return new RenderedJson(
      `${start}${participantsOf(event)}${afterCount}${group}${afterGroup}${isBoosted(event, now)}${afterBoosted}${viewer}${distance}${end}`,
    );
  }

  private async read(ids: readonly string[]): Promise<Map<string, RenderedEvent>> {
    const rows = await this.database.rows<RowToRender>(EVENTS_TO_RENDER, [ids]);
    const events = new Map(rows.map((row) => [row.id, this.render(row)]));
    for (const [id, event] of events) this.known.set(id, event);
    return events;
  }

  private render(row: RowToRender): RenderedEvent {
    return {
      ...(Object.fromEntries(KEPT_COLUMNS.map((name) => [name, row[name]])) as unknown as KeptColumns),
      pieces: jsonAround(
        { ...sharedEventResource({ ...row, group_id: null }, this.clock.now(), this.wire), viewer: null },
        GAPS,
      ),
    };
  }
}

/** Null if the event was not rendered, or if its fingerprint differs from the fingerprint of the row. */
function listedIfCurrent(row: CompactRow, event: RenderedEvent | undefined): ListedEvent | null {
  return event?.shared_fingerprint === row.shared_fingerprint ? { ...event, ...row, blocked: false } : null;
}

import { Injectable } from '@nestjs/common';
import type { EventScope, OccurrenceScope } from '#contract/vocabulary';
import { Sealer } from '#platform/config/sealer';
import { Database, statement, type Queryable } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { STRANGER_SEES_SQL } from './event-relation';
import { OWN_EVENT, OWN_EVENTS, OWN_EVENTS_BY_IDS, OWN_EVENTS_TOTAL, type OwnEventRow } from './writing/event.query';
import { ownEventResource, type OwnEventResource } from './event.resource';
import { OCCURRENCES, OCCURRENCES_TOTAL } from './occurrences/occurrences.query';

const HAS_PUBLIC_EVENT = statement(
  'events_has_public',
  `SELECT 1 AS public FROM events e WHERE organizer_id = $1 AND ${STRANGER_SEES_SQL} LIMIT 1`,
);

const COUNT_PUBLIC_EVENTS = statement(
  'events_count_public',
  `SELECT count(*)::int AS total FROM events e WHERE organizer_id = $1 AND ${STRANGER_SEES_SQL} AND status <> 'cancelled'`,
);

/** Events as their organizer sees them. */
@Injectable()
export class EventsReader {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The event as its organizer gets it; 404 if the event does not exist. The calling code has checked the rights. */
  async own(database: Queryable, eventId: number): Promise<OwnEventResource> {
    const [row] = await database.rows<OwnEventRow>(OWN_EVENT, [eventId]);
    if (!row) throw new Refusal('not_found');
    return this.resource(row);
  }

  /** Like `own`, for several events. The keys of the map are the ids. Events that do not exist are omitted. */
  async ownByIds(database: Queryable, eventIds: readonly number[]): Promise<Map<number, OwnEventResource>> {
    const rows = await database.rows<OwnEventRow>(OWN_EVENTS_BY_IDS, [eventIds]);
    return new Map(await Promise.all(rows.map(async (row) => [Number(row.id), await this.resource(row)] as const)));
  }

  /** Whether the user organizes a public event. Past and cancelled events count too. */
  async hasPublicEvent(database: Queryable, organizerId: number): Promise<boolean> {
    return (await database.rows(HAS_PUBLIC_EVENT, [organizerId])).length > 0;
  }

  /** The number of this organizer's public events. Past events are counted; cancelled events are not counted. */
  async countPublicOf(organizerId: number): Promise<number> {
    const [row] = await this.database.rows<{ total: number }>(COUNT_PUBLIC_EVENTS, [organizerId]);
    return row?.total ?? 0;
  }

  /**
   * The list of `GET /events?relation=organizing`. Without a scope, all events are listed, and the event with the
   * latest start comes first.
   */
  async organizedBy(userId: number, scope: EventScope | undefined, slice: Slice): Promise<Page<OwnEventResource>> {
    const listing = { list: OWN_EVENTS[scope ?? 'any'], total: OWN_EVENTS_TOTAL[scope ?? 'any'] };
    const events = await readPage<OwnEventRow>(this.database, listing, [userId, this.clock.now()], slice);
    return events.mapAsync((row) => this.resource(row));
  }

  /** The events of a series, ordered by start. With a scope, the list has only active events that have not started. */
  async occurrencesOf(
    seriesId: number,
    scope: OccurrenceScope | undefined,
    slice: Slice,
  ): Promise<Page<OwnEventResource>> {
    const listing = { list: OCCURRENCES[scope ?? 'any'], total: OCCURRENCES_TOTAL[scope ?? 'any'] };
    const events = await readPage<OwnEventRow>(this.database, listing, [seriesId, this.clock.now()], slice);
    return events.mapAsync((row) => this.resource(row));
  }

  private async resource(row: OwnEventRow): Promise<OwnEventResource> {
    const password = row.join_password_sealed === null ? null : await this.sealer.open(row.join_password_sealed);
    return withVersion(ownEventResource(row, password, this.clock.now(), this.wire), row.version);
  }
}

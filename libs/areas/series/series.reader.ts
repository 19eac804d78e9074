import { Injectable } from '@nestjs/common';
import { Sealer } from '#platform/config/sealer';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { withVersion } from '#platform/http/versions';
import { WireFormat } from '#platform/http/wire-format';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';
import { completeTemplate } from '../events/event-template.resource';
import { Series } from './series.entity';
import {
  COUNT_LIVE_SERIES,
  PUBLIC_SERIES,
  SERIES_BY_ID,
  SERIES_BY_IDS,
  SERIES_OF_ORGANIZER,
  COUNT_SERIES_OF_ORGANIZER,
  type SeriesRow,
} from './series.query';
import { seriesResource, type SeriesResource } from './series.resource';

/** `active`: whether more occurrences will be created. */
type PublicSeries = Pick<SeriesResource, 'title' | 'active'>;

/** Reads series as their organizers see them. Other people get 404 (SER-12), but may see `publicSeries`. */
@Injectable()
export class SeriesReader {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** Returns the series. Throws 404 if it does not belong to the organizer. */
  async own(organizerId: number, seriesId: number): Promise<SeriesResource> {
    await this.refuseUnlessOwn(seriesId, organizerId);
    return this.show(this.database, seriesId);
  }

  /** Returns one series. The calling code has checked who organizes it. Throws 404 if the series does not exist. */
  async show(database: Queryable, seriesId: number): Promise<SeriesResource> {
    const [row] = await database.rows<SeriesRow>(SERIES_BY_ID, [seriesId, this.clock.now()]);
    if (!row) throw new Refusal('not_found');
    return this.resource(row);
  }

  /** Like `show`, for several series. The keys of the returned map are the ids. */
  async showByIds(database: Queryable, seriesIds: readonly number[]): Promise<Map<number, SeriesResource>> {
    const rows = await database.rows<SeriesRow>(SERIES_BY_IDS, [seriesIds, this.clock.now()]);
    return new Map(await Promise.all(rows.map(async (row) => [Number(row.id), await this.resource(row)] as const)));
  }

  /**
   * A series for its public calendar (CAL-7) and its page. Null if the series is private, hidden by moderators or does
   * not exist, or if its organizer is banned.
   */
  async publicSeries(seriesId: number): Promise<PublicSeries | null> {
    const [row] = await this.database.rows<PublicSeries>(PUBLIC_SERIES, [seriesId]);
    return row ?? null;
  }

  /** Returns a page of the organizer's series, newest first. */
  async ofOrganizer(organizerId: number, slice: Slice): Promise<Page<SeriesResource>> {
    const listing = { list: SERIES_OF_ORGANIZER, total: COUNT_SERIES_OF_ORGANIZER };
    const series = await readPage<SeriesRow>(this.database, listing, [organizerId, this.clock.now()], slice);
    return series.mapAsync((row) => this.resource(row));
  }

  /** Throws 404 if the series does not belong to the organizer. */
  async refuseUnlessOwn(seriesId: number, organizerId: number): Promise<void> {
    if (!(await this.isOwn(seriesId, organizerId))) throw new Refusal('not_found');
  }

  /** Whether the series belongs to the organizer. */
  isOwn(seriesId: number, organizerId: number): Promise<boolean> {
    return this.database.manager.existsBy(Series, { id: seriesId, organizerId });
  }

  /**
   * Locks the organizer's own series until the transaction ends; meanwhile no occurrences are created. Throws 404 for a
   * series that does not exist or belongs to another person.
   */
  async lockOwn(tx: Transaction, seriesId: number, organizerId: number): Promise<Series> {
    const series = await tx.manager.findOne(Series, {
      where: { id: seriesId, organizerId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!series) throw new Refusal('not_found');
    return series;
  }

  async liveUsage(database: Queryable, organizerId: number): Promise<Usage> {
    const [row] = await database.rows<{ total: number }>(COUNT_LIVE_SERIES, [organizerId, this.clock.now()]);
    return usageWithoutExpiry(row?.total ?? 0);
  }

  private async resource(row: SeriesRow): Promise<SeriesResource> {
    const template = completeTemplate(row.template);
    const sealed = template.join_password_sealed;
    const joinPassword = sealed === null ? null : await this.sealer.open(sealed);
    return withVersion(seriesResource({ ...row, template }, joinPassword, this.wire), row.version);
  }
}

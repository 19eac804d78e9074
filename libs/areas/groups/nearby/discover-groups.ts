import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Statement } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { queryWithWords } from '#platform/database/word-search';
import { Violations } from '#platform/http/violations';
import { Page, sliceOf, type Slice } from '#platform/http/page';
import { readPage, type Listing } from '#platform/http/read-page';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../../identity/caller.reader';
import {
  SEARCHED_GROUPS_WITHOUT_OWN,
  SEARCHED_GROUPS,
  NEAREST_GROUPS,
  NEAREST_GROUPS_TOTAL,
  NEWEST_GROUPS,
  NEWEST_GROUPS_TOTAL,
} from './discover-groups.query';
import type { DiscoverGroupsQueryDto, ExploreGroupsQueryDto } from '../group.dto';
import { groupResource, type GroupResource, type GroupRow } from '../group.resource';

/** Lists public groups, for the API (GRP-9) and for the web pages. */
@Injectable()
export class DiscoverGroups {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Lists groups to which the caller does not belong. With `q`, lists only groups that match its words (GRP-23). With
   * `lat` and `lng`, lists only groups within `radius_km`, the nearest first. Without `lat` and `lng`, lists the newest
   * first and ignores `radius_km`.
   */
  async list(caller: Caller, query: DiscoverGroupsQueryDto): Promise<Page<GroupResource>> {
    if (queryWithWords(query.q) !== null) return this.search(caller, query, SEARCHED_GROUPS_WITHOUT_OWN);
    new Violations().bothOrNone(query, 'lat', 'lng').throwIfAny();
    const { lat, lng, radius_km = LIMITS.groups.radius_km.default } = query;
    const slice = sliceOf(query);
    return this.reading.during(() =>
      lat === undefined || lng === undefined
        ? this.page(NEWEST_GROUPS, NEWEST_GROUPS_TOTAL, [caller.id], slice)
        : this.page(NEAREST_GROUPS, NEAREST_GROUPS_TOTAL, [caller.id, lat, lng, radius_km], slice),
    );
  }

  /** Like `list`, but includes the groups to which the caller belongs; used by the web pages (PAGE-27). */
  async explore(caller: Caller, query: ExploreGroupsQueryDto): Promise<Page<GroupResource>> {
    return this.search(caller, query, queryWithWords(query.q) === null ? SEARCHED_GROUPS.any : SEARCHED_GROUPS.byWords);
  }

  private async search(caller: Caller, query: DiscoverGroupsQueryDto, listing: Listing): Promise<Page<GroupResource>> {
    new Violations().bothOrNone(query, 'lat', 'lng').throwIfAny();
    const { lat = null, lng = null, radius_km = LIMITS.groups.radius_km.default, q } = query;
    const values = [caller.id, lat, lng, radius_km, queryWithWords(q)];
    const groups = await this.reading.during(() => readPage<GroupRow>(this.database, listing, values, sliceOf(query)));
    return groups.map((row) => groupResource({ ...row, distance_km: row.distance_km ?? undefined }, this.wire));
  }

  /**
   * If the first page is not full, the total is the number of groups on the page. In this case the statement `count`
   * does not run, because it takes longer than reading a page.
   */
  private async page(
    list: Statement,
    count: Statement,
    values: readonly unknown[],
    slice: Slice,
  ): Promise<Page<GroupResource>> {
    const read = async (): Promise<GroupResource[]> => {
      const rows = await this.database.rows<GroupRow>(list, [...values, slice.limit, slice.offset]);
      return rows.map((row) => groupResource(row, this.wire));
    };
    const total = async (): Promise<number> =>
      (await this.database.rows<{ total: number }>(count, values))[0]?.total ?? 0;

    if (slice.offset > 0) {
      const all = await total();
      return new Page(slice.offset < all ? await read() : [], all, slice);
    }
    const groups = await read();
    return new Page(groups, groups.length < slice.limit ? groups.length : await total(), slice);
  }
}

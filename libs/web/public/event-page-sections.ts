import { Injectable } from '@nestjs/common';
import type { EventRelation } from '#areas/events/event-access.policy';
import type { CommentResource } from '#areas/comments/comment.resource';
import { GalleryReader } from '#areas/gallery/gallery.reader';
import type { PhotoResource } from '#areas/gallery/photo.resource';
import { ItineraryReader } from '#areas/itinerary/itinerary.reader';
import type { ItineraryResource } from '#areas/itinerary/itinerary.resource';
import { EventForViewerReader } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { Page, sliceOf } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { EventTiles } from './event-tiles';
import { neighboursOfList, type ListPages } from '../listing';
import { RelatedContent } from './related-content';
import { withoutChip, type Tile } from './tile';

type Neighbours = ReturnType<typeof neighboursOfList>;

/** Maximum number of other dates, and of photos, on the page of an event. */
const MAX_SHOWN = { dates: 6, photos: 24 } as const;

/** The content of the sections on an event's page that the reader may see. */
export interface PageSections {
  readonly plan: ItineraryResource | null;
  readonly photos: readonly PhotoResource[];
  readonly photoPages: Neighbours;
  readonly comments: Page<CommentResource>;
  readonly commentPages: Neighbours;
  readonly dates: readonly Tile[];
}

/** Reads the itinerary, photos and comments of an event, and the other dates of its series, for the event's page. */
@Injectable()
export class EventPageSections {
  constructor(
    private readonly itineraries: ItineraryReader,
    private readonly gallery: GalleryReader,
    private readonly related: RelatedContent,
    private readonly events: EventForViewerReader,
    private readonly tiles: EventTiles,
    private readonly wire: WireFormat,
  ) {}

  /** Reads all sections. As in the API, only readers with an account see an itinerary that is not public. */
  async sectionsOf(
    event: DiscoverEventResource,
    relation: EventRelation,
    reader: Reader,
    pages: ListPages,
  ): Promise<PageSections> {
    const { eventId } = relation;
    const [plan, photos, comments, dates] = await Promise.all([
      reader.user ? this.itineraries.plan(eventId) : this.itineraries.publicPlan(eventId),
      this.photos(relation, reader, pages.photos),
      this.related.commentsOf({ kind: 'event', id: eventId }, reader, pages.comments),
      this.otherDates(event, reader),
    ]);
    const path = `/events/${event.id}`;
    return {
      plan,
      photos: photos.items,
      photoPages: neighboursOfList(path, pages, 'photos', photos),
      comments,
      commentPages: neighboursOfList(path, pages, 'comments', comments),
      dates,
    };
  }

  /**
   * Reads one photo more than the page shows, to find out whether another page follows. The total of the returned page
   * therefore counts only the photos that were skipped or read. If the requested page is after the last page, the total
   * is the number of all photos, so that the link to the previous page leads to the last page.
   */
  private async photos(relation: EventRelation, { caller }: Reader, page: number): Promise<Page<PhotoResource>> {
    const slice = sliceOf({ page, per_page: MAX_SHOWN.photos });
    const found = await this.gallery.photos(caller, relation, { ...slice, limit: MAX_SHOWN.photos + 1 });
    const isAfterLast = page > 1 && found.length === 0;
    const total = isAfterLast
      ? (await this.gallery.counts(caller, relation.eventId)).total
      : slice.offset + found.length;
    return new Page(found.slice(0, MAX_SHOWN.photos), total, slice);
  }

  private async otherDates({ id, series }: DiscoverEventResource, reader: Reader): Promise<readonly Tile[]> {
    const seriesId = series === null ? null : this.wire.ids.decode('series', series);
    if (seriesId === null) return [];
    const { items } = await this.events.coming(
      reader.caller,
      'series',
      seriesId,
      sliceOf({ per_page: MAX_SHOWN.dates + 1 }),
    );
    const others = items.filter((one) => one.id !== id).slice(0, MAX_SHOWN.dates);
    const recurring = translator(reader.locale)('recurring');
    return this.tiles.tilesOf(others, reader).map((tile) => withoutChip(tile, recurring));
  }
}

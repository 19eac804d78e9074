import { Injectable } from '@nestjs/common';
import type { CommentResource } from '#areas/comments/comment.resource';
import { CommentsReader } from '#areas/comments/comments.reader';
import type { Subject } from '#areas/comments/subject';
import { EventForViewerReader, type EventsOf } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { PostsReader } from '#areas/posts/posts.reader';
import { sliceOf, type Page } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Reader } from '../readers';
import { EventTiles } from './event-tiles';
import { postTiles } from './group-and-post-tiles';
import type { Tile } from './tile';

/** Maximum numbers of items in the lists on a page. `occurrences`: events on the page of a series. */
const MAX_SHOWN = { events: 12, occurrences: 100, posts: 6, threads: 30 } as const;

/**
 * Events, posts and comments that belong to a group, a series, a person, an event or a post, as the reader may see
 * them.
 */
@Injectable()
export class RelatedContent {
  constructor(
    private readonly events: EventForViewerReader,
    private readonly posts: PostsReader,
    private readonly comments: CommentsReader,
    private readonly tiles: EventTiles,
    private readonly clock: Clock,
    private readonly wire: WireFormat,
  ) {}

  /** Current and upcoming events of the group or organizer with this id, sorted by start. */
  async comingOf(of: Exclude<EventsOf, 'series'>, id: number, reader: Reader): Promise<Tile[]> {
    const { items } = await this.events.coming(reader.caller, of, id, sliceOf({ per_page: MAX_SHOWN.events }));
    return this.tiles.tilesOf(items, reader);
  }

  /**
   * All current and upcoming events of a series, sorted by start. There are at most 58, fewer than
   * `MAX_SHOWN.occurrences`, because a series has at most one event a day, and events are created only 8 weeks ahead
   * (SER-6).
   */
  async occurrencesOf(
    seriesId: number,
    reader: Reader,
  ): Promise<{ events: readonly DiscoverEventResource[]; tiles: Tile[] }> {
    const slice = sliceOf({ per_page: MAX_SHOWN.occurrences });
    const { items: events } = await this.events.coming(reader.caller, 'series', seriesId, slice);
    return { events, tiles: this.tiles.tilesOf(events, reader) };
  }

  async postsBy(authorId: number, reader: Reader): Promise<Tile[]> {
    const posts = await this.posts.publishedOf(reader.caller.id, authorId, MAX_SHOWN.posts);
    return postTiles(posts, reader, this.clock.now());
  }

  async postsAboutGroup(groupId: number, reader: Reader): Promise<Tile[]> {
    const posts = await this.posts.publishedAboutGroup(reader.caller.id, groupId, MAX_SHOWN.posts);
    return postTiles(posts, reader, this.clock.now());
  }

  /** The address of the feed of a person's posts. */
  feedOf(slug: string): string {
    return this.wire.page(`/people/${slug}/posts.atom`);
  }

  /** One page of the comment threads of an event or a post (PAGE-84). */
  commentsOf(subject: Subject, reader: Reader, page: number): Promise<Page<CommentResource>> {
    return this.comments.threads(reader.caller, subject, sliceOf({ page, per_page: MAX_SHOWN.threads }));
  }
}

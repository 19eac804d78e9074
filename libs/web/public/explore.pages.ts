import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ExploreQueryDto } from '#areas/discover/discover.dto';
import { DiscoverReader } from '#areas/discover/discover.reader';
import { ExploreGroupsQueryDto } from '#areas/groups/group.dto';
import { GroupsReader } from '#areas/groups/groups.reader';
import { ExplorePostsQueryDto } from '#areas/posts/post.dto';
import { PostsReader } from '#areas/posts/posts.reader';
import { EVENT_PRICES, EVENT_TYPES } from '#contract/vocabulary';
import { queryOf } from '#platform/http/paths';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { CurrentReader, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { agendaOf, filterButtons } from './agenda';
import { EventTiles } from './event-tiles';
import { groupTiles, postTiles } from './group-and-post-tiles';
import type { Tile } from './tile';
import { readListing, readListingAround, type Listing } from '../listing';

/**
 * The public lists: events (`/`), groups and posts. Every combination of filters has an address that can be shared
 * (PAGE-26 to PAGE-28).
 */
@PageController()
export class ExplorePages {
  constructor(
    private readonly events: DiscoverReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
    private readonly tiles: EventTiles,
    private readonly clock: Clock,
    private readonly wire: WireFormat,
  ) {}

  @Get()
  @ReadsReplica()
  async exploreEvents(@CurrentReader() reader: Reader, @Req() request: FastifyRequest): Promise<View> {
    const listing = await readListingAround(
      request,
      reader.locale,
      ExploreQueryDto,
      (query) => this.events.explore(reader.caller, query),
      reader.user?.place,
    );
    const now = this.clock.now();
    const events = listing.page?.items ?? [];
    const tiles = this.tiles.tilesOf(events, reader);
    return this.show(request, reader, 'explore', listing, () => tiles, {
      types: EVENT_TYPES,
      prices: EVENT_PRICES,
      chips: filterButtons(listing.values, now),
      // Only a list in the default order is grouped by day.
      days: (listing.values.sort ?? 'default') === 'default' ? agendaOf(events, tiles, reader, now) : [],
    });
  }

  @Get('groups')
  @ReadsReplica()
  async exploreGroups(@CurrentReader() reader: Reader, @Req() request: FastifyRequest): Promise<View> {
    const listing = await readListingAround(request, reader.locale, ExploreGroupsQueryDto, (query) =>
      this.groups.explore(reader.caller, query),
    );
    return this.show(request, reader, 'groups', listing, (groups) => groupTiles(groups, reader));
  }

  @Get('posts')
  @ReadsReplica()
  async explorePosts(@CurrentReader() reader: Reader, @Req() request: FastifyRequest): Promise<View> {
    const listing = await readListing(request, reader.locale, ExplorePostsQueryDto, (query) =>
      this.posts.explore(reader.caller, query),
    );
    return this.show(request, reader, 'posts', listing, (posts) => postTiles(posts, reader, this.clock.now()));
  }

  private show<Item>(
    { url }: FastifyRequest,
    reader: Reader,
    section: 'explore' | 'groups' | 'posts',
    { page, ...listing }: Listing<Item>,
    tilesOf: (items: readonly Item[]) => Tile[],
    more: object = {},
  ): View {
    const say = translator(reader.locale);
    const title = say(`${section}_title`);
    const path = section === 'explore' ? '/' : `/${section}`;
    return view(
      'explore',
      {
        ...listing,
        ...more,
        title,
        section,
        wide: true,
        path,
        tiles: page ? tilesOf(page.items) : [],
        total: page?.total ?? 0,
        isStart: url === '/',
        hasNoFilters: [...new URLSearchParams(queryOf(url)).keys()].every((name) => name === 'page'),
        // Only the list without filters has the tags of `social`, because search engines should index each list once.
        ...(url === path && {
          social: {
            title,
            type: 'website',
            url: this.wire.page(path),
            description: say(`${section}_text`),
            image: null,
          },
        }),
      },
      // The list of events answers 200 even if `place` does not mean exactly one place (PLACE-4).
      page || (section === 'explore' && Object.keys(listing.errors).join() === 'place') ? 200 : 422,
    );
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExploreQueryDto } from '#areas/discover/discover.dto';
import { DiscoverReader } from '#areas/discover/discover.reader';
import { ExploreGroupsQueryDto } from '#areas/groups/group.dto';
import { GroupsReader } from '#areas/groups/groups.reader';
import { ExplorePostsQueryDto } from '#areas/posts/post.dto';
import { PostsReader } from '#areas/posts/posts.reader';
import { EVENT_PRICES, EVENT_TYPES } from '#contract/vocabulary';
import { WireFormat } from '#platform/http/wire-format';
import { Pages, type Content } from '../pages';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { EventTiles, type Tile } from './event-tiles';
import { groupTiles, postTiles } from './other-tiles';
import { readListing, type Listing } from './listing';

/** What there is, for everybody: events (`/`), groups and posts. Every choice is an address that can be shared (PAGE-26 to 28). */
@Injectable()
export class ExplorePages {
  constructor(
    private readonly pages: Pages,
    private readonly events: DiscoverReader,
    private readonly groups: GroupsReader,
    private readonly posts: PostsReader,
    private readonly tiles: EventTiles,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const listing = await readListing(request, reader.locale, ExploreQueryDto, (query) =>
          this.events.explore(reader.caller, query),
        );
        return this.show(request, reader, reply, 'explore', listing, (events) => this.tiles.tilesOf(events, reader), {
          types: EVENT_TYPES,
          prices: EVENT_PRICES,
        });
      }),
    );
    fastify.get('/groups', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const listing = await readListing(request, reader.locale, ExploreGroupsQueryDto, (query) =>
          this.groups.explore(reader.caller, query),
        );
        return this.show(request, reader, reply, 'groups', listing, (groups) => groupTiles(groups, reader));
      }),
    );
    fastify.get('/posts', async (request, reply) =>
      this.pages.reading(request, async (reader) => {
        const listing = await readListing(request, reader.locale, ExplorePostsQueryDto, (query) =>
          this.posts.explore(reader.caller, query),
        );
        return this.show(request, reader, reply, 'posts', listing, (posts) => postTiles(posts, reader));
      }),
    );
  }

  private show<Item>(
    { url }: FastifyRequest,
    reader: Reader,
    reply: FastifyReply,
    section: 'explore' | 'groups' | 'posts',
    { page, ...listing }: Listing<Item>,
    tilesOf: (items: readonly Item[]) => Tile[],
    more: object = {},
  ): Promise<FastifyReply> {
    const say = translator(reader.locale);
    const title = say(`${section}_title`);
    const path = section === 'explore' ? '/' : `/${section}`;
    const content: Content = {
      ...listing,
      ...more,
      title,
      section,
      wide: true,
      path,
      tiles: page ? tilesOf(page.items) : [],
      total: page?.total ?? 0,
      isFirst: url.split('?', 1)[0] === url,
      // Search engines need each list once, not by every choice.
      ...(url === path && {
        social: { title, type: 'website', url: this.wire.page(path), description: say(`${section}_text`), image: null },
      }),
    };
    return this.pages.show(reader, reply, 'explore', content, page ? 200 : 422);
  }
}

import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PostsReader } from '#areas/posts/posts.reader';
import { PageQueryDto, sliceOf } from '#platform/http/page';
import { Clock } from '#platform/time/clock';
import { ActingPageController, CurrentMember, type Member } from '../page.decorators';
import { readListing } from '../listing';
import { postTiles } from '../public/group-and-post-tiles';
import { translator } from '../texts';
import { view, type View } from '../view';

/** /account/posts: the reader's own posts, including drafts. */
@ActingPageController()
export class MyPostPages {
  constructor(
    private readonly posts: PostsReader,
    private readonly clock: Clock,
  ) {}

  @Get('account/posts')
  async list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, PageQueryDto, (query) =>
      this.posts.own(member.caller, sliceOf(query)),
    );
    const tiles = page ? postTiles(page.items, member, this.clock.now()) : [];
    const title = translator(member.locale)('my_posts');
    return view('my-posts', { ...listing, title, tab: 'posts', wide: true, tiles }, page ? 200 : 422);
  }
}

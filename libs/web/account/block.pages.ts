import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlocksService } from '#areas/identity/blocks.service';
import { PageQueryDto } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { ActingPageController, CheckForm, CurrentMember, SignedInOnly, type Member } from '../page.decorators';
import { readListing } from '../listing';
import type { Refused } from '../refusals';
import { redirectTo, type Redirect } from '../redirect';
import { refusedBy } from '../refusals';
import { translator } from '../texts';
import { view, type View } from '../view';

/** /account/blocks: the people whom the member blocks. Also handles the buttons that block and unblock a person. */
@ActingPageController()
export class BlockPages {
  constructor(private readonly blocks: BlocksService) {}

  @Get('account/blocks')
  list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    return this.show(member, request);
  }

  @Post('people/:slug/block')
  @SignedInOnly('/people/:slug')
  @CheckForm()
  async block(
    @CurrentMember() member: Member,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    try {
      const name = await this.blocks.block(member.caller, slug);
      return redirectTo('/account/blocks', 'person_blocked', { name });
    } catch (error) {
      return this.show(member, request, refusedBy(error, member.locale, reply));
    }
  }

  @Post('people/:slug/unblock')
  @SignedInOnly('/people/:slug')
  @CheckForm()
  async unblock(@CurrentMember() { caller }: Member, @Param('slug', SlugPipe) slug: string): Promise<Redirect> {
    const name = await this.blocks.unblock(caller, slug);
    return redirectTo('/account/blocks', 'person_unblocked', { name });
  }

  private async show(member: Member, request: FastifyRequest, refused?: Refused): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, PageQueryDto, (query) =>
      this.blocks.list(member.caller, query),
    );
    const title = translator(member.locale)('blocks_title');
    const content = { ...listing, title, tab: 'blocks', blocks: page?.items ?? [], refused } as const;
    return view('blocks', content, refused?.status ?? (page ? 200 : 422));
  }
}

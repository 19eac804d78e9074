import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BlocksService } from '#areas/identity/blocks.service';
import { PageQueryDto } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import type { FormRefusal } from '../form/form-refusal';
import { FormRunner } from '../form/form-runner';
import { errorsForPeople } from '../forms';
import { readListing } from '../listing';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';

/** /account/blocks: the people whom the member blocks. Also handles the buttons that block and unblock a person. */
@ActingPageController()
export class BlockPages {
  constructor(
    private readonly blocks: BlocksService,
    private readonly formRunner: FormRunner,
  ) {}

  @Get('account/blocks')
  list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    return this.show(member, request);
  }

  @Post('people/:slug/block')
  @CheckForm()
  block(
    @CurrentMember() member: Member,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async () => {
        const name = await this.blocks.block(member.caller, slug);
        return redirectTo('/account/blocks', 'person_blocked', { name });
      },
      show: (refusal) => this.show(member, request, refusal),
    });
  }

  @Post('people/:slug/unblock')
  @CheckForm()
  async unblock(@CurrentMember() { caller }: Member, @Param('slug', SlugPipe) slug: string): Promise<Redirect> {
    const name = await this.blocks.unblock(caller, slug);
    return redirectTo('/account/blocks', 'person_unblocked', { name });
  }

  private async show(member: Member, request: FastifyRequest, refusal?: FormRefusal): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, PageQueryDto, (query) =>
      this.blocks.list(member.caller, query),
    );
    const title = translator(member.locale)('blocks_tab');
    // The page has no field for a slug, so the error of a slug is shown above the list.
    const [refused = refusal?.text] = Object.values(errorsForPeople(refusal?.errors ?? {}, member.locale));
    const content = { ...listing, title, tab: 'blocks', blocks: page?.items ?? [], refused } as const;
    return view('blocks', content, refusal?.status ?? (page ? 200 : 422));
  }
}

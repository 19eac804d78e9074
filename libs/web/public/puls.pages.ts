import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PulsFeedQueryDto } from '#areas/puls/puls.dto';
import { PulsService } from '#areas/puls/puls.service';
import { Page } from '#platform/http/page';
import { CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { translator } from '../texts';
import { view, type View } from '../view';
import { distanceText } from './tile';
import { readListingAround } from '../listing';

/** /puls: the Puls posts around a place, for signed-in people. */
@PageController()
@SignedInOnly()
export class PulsPages {
  constructor(private readonly puls: PulsService) {}

  @Get('puls')
  async page(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const hasNoQuery = !request.url.includes('?');
    const content = {
      title: translator(member.locale)('puls_title'),
      section: 'puls',
      wide: true,
      hasNoQuery,
    } as const;
    if (hasNoQuery) return view('puls', { ...content, posts: [], values: {}, errors: {}, places: [] });
    const listing = await readListingAround(request, member.locale, PulsFeedQueryDto, async (query) => {
      const { posts, total, limit } = await this.puls.feed(member.caller, query);
      return new Page(posts, total, { page: 1, limit, offset: 0 });
    });
    const { page } = listing;
    const distance = (kilometres: number): string => distanceText(kilometres, member.locale);
    return view('puls', { ...content, ...listing, posts: page?.items ?? [], distance }, page ? 200 : 422);
  }
}

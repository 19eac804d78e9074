import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { PulsFeedQueryDto } from '#areas/puls/puls.dto';
import { PulsReader } from '#areas/puls/puls.reader';
import { Page } from '#platform/http/page';
import { SignedIn } from '../account/signed-in';
import { Pages } from '../pages';
import { translator } from '../texts';
import { readListing } from './listing';

/** /puls: what people post around a place, for those with an account. */
@Injectable()
export class PulsPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly puls: PulsReader,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get(
      '/puls',
      this.signedIn.only(async (member, reply, request) => {
        const title = translator(member.locale)('puls_title');
        const isFirst = request.url.split('?', 1)[0] === request.url;
        if (isFirst)
          return this.pages.show(member, reply, 'puls', {
            title,
            section: 'puls',
            wide: true,
            isFirst,
            posts: [],
            values: {},
            errors: {},
          });
        const { page, values, errors } = await readListing(request, member.locale, PulsFeedQueryDto, async (query) => {
          const { posts, total, limit } = await this.puls.around(member.caller, query);
          return new Page(posts, total, { page: 1, limit, offset: 0 });
        });
        return this.pages.show(
          member,
          reply,
          'puls',
          { title, section: 'puls', wide: true, isFirst, posts: page?.items ?? [], values, errors },
          page ? 200 : 422,
        );
      }),
    );
  }
}

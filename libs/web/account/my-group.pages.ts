import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GroupsQueryDto } from '#areas/groups/group.dto';
import { GroupsReader } from '#areas/groups/groups.reader';
import { GROUP_RELATIONS } from '#contract/vocabulary';
import { sliceOf } from '#platform/http/page';
import { ActingPageController, CurrentMember, type Member } from '../page.decorators';
import { readListing } from '../listing';
import { groupTiles } from '../public/group-and-post-tiles';
import { translator } from '../texts';
import { view, type View } from '../view';

const [DEFAULT_RELATION] = GROUP_RELATIONS;

/** /account/groups: the groups, invitations and requests of an account. Takes the parameters of GET /groups. */
@ActingPageController()
export class MyGroupPages {
  constructor(private readonly groups: GroupsReader) {}

  @Get('account/groups')
  async list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, GroupsQueryDto, (query) =>
      this.groups.related(member.caller, query.relation ?? DEFAULT_RELATION, sliceOf(query)),
    );
    const invited = await this.groups.related(member.caller, 'invited', sliceOf({ per_page: 1 }));
    return view(
      'my-groups',
      {
        ...listing,
        title: translator(member.locale)('my_groups'),
        tab: 'groups',
        wide: true,
        tiles: page ? groupTiles(page.items, member) : [],
        relations: GROUP_RELATIONS,
        relation: listing.values.relation ?? DEFAULT_RELATION,
        invitations: invited.total,
      },
      page ? 200 : 422,
    );
  }
}

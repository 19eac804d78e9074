import { Injectable } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import { MembersQueryDto } from '#areas/groups/member.dto';
import { MembershipService } from '#areas/groups/membership.service';
import type { GroupRelation } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { Input } from '#platform/http/input';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import type { Member } from '../page.decorators';
import { INVITE, PeopleSearch, slugsOf } from '../people-search';
import { neighboursOf, pageNumber } from '../listing';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';

const PER_PAGE = 50;
/** Maximum number of requests, and of invitations, on the page. */
const MAX_WAITING = 100;

/**
 * The address and the query of the page. `refusedInvitation`: the refusal of the form that invites a person by slug.
 * `refusal`: the refusal of any other form on the page.
 */
export interface MembersRequest {
  readonly url: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly refusal?: FormRefusal;
  readonly refusedInvitation?: FormRefusal;
}

/** /groups/{id}/members: the members; for the owner also requests, invitations and a search for people to invite. */
@Injectable()
export class MembersView {
  constructor(
    private readonly database: Database,
    private readonly membership: MembershipService,
    private readonly groups: GroupsReader,
    private readonly people: PeopleSearch,
  ) {}

  async show(
    groupId: number,
    member: Member,
    { url, query, refusal, refusedInvitation }: MembersRequest,
  ): Promise<View> {
    const page = pageNumber(query.page);
    const members = await this.list(groupId, member, 'member', page, PER_PAGE);
    const group = await this.groups.show(this.database, member.caller, groupId);
    const isOwner = group.viewer.role === 'owner';
    const [requested, invited] = isOwner
      ? await Promise.all([
          this.list(groupId, member, 'requested', 1, MAX_WAITING),
          this.list(groupId, member, 'invited', 1, MAX_WAITING),
        ])
      : [null, null];
    const search = await this.people.find(member, isOwner ? query.q : undefined);
    const roles = search.found && (await this.groups.rolesAmong(groupId, slugsOf(search.found)));
    return view(
      'group-members',
      {
        ...partOf(group.name, translator(member.locale)('group_members_link')),
        section: 'groups',
        about: { type: 'group', id: groupId },
        group,
        isOwner,
        members: members.items,
        total: members.total,
        requested: requested?.items ?? [],
        invited: invited?.items ?? [],
        q: query.q ?? '',
        ...search,
        // The found people who have a role (also invited or requested) and therefore cannot be invited (GRP-13).
        roles,
        newKey,
        invite: formView(INVITE, member, { key: newKey(), refusal: refusedInvitation ?? null }),
        refused: refusal?.text,
        neighbours: neighboursOf(url, members),
      },
      refusal?.status ?? refusedInvitation?.status ?? search.status,
    ).withHeaders(search.headers);
  }

  /** Reads one of the lists. `MembershipService` checks the rights on the group before it validates the query. */
  private async list(groupId: number, { caller }: Member, status: GroupRelation, page: number, perPage: number) {
    const query = { status, page: String(page), per_page: String(perPage) };
    return this.membership.list(caller, groupId, await Input.of(MembersQueryDto, query, 'text'));
  }
}

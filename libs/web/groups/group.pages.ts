import { Get, Param, Post, Query } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import { Refusal } from '#platform/http/refusal';
import { CheckForm, CurrentMember, CurrentReader, PageController, SignedInOnly, type Member } from '../page.decorators';
import { pageNumber } from '../listing';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import type { View } from '../view';
import { GroupInvitations } from './group-invitations';
import { GroupView } from './group-view';

/** The page of a group (/groups/{id}), and the page of its invite link (/groups/join/{code}). */
@PageController()
export class GroupPages {
  constructor(
    private readonly view: GroupView,
    private readonly groups: GroupsReader,
    private readonly invitations: GroupInvitations,
  ) {}

  @Get('groups/:id')
  @ReadsReplica()
  group(
    @CurrentReader() reader: Reader,
    @Param('id') id: string,
    @Query('interests') interests: unknown,
  ): Promise<View> {
    return this.view.show(id, reader, { interestsPage: pageNumber(interests) });
  }

  @Get('groups/join/:code')
  async invitation(@CurrentReader() reader: Reader, @Param('code') code: string): Promise<View> {
    const invited = await this.groups.byInviteCode(code, reader.user?.id ?? null);
    if (!invited) throw new Refusal('not_found');
    return this.view.viewOf(invited.groupId, invited.group, reader, { invite: code });
  }

  @Post('groups/join/:code')
  @SignedInOnly()
  @CheckForm()
  async accept(@CurrentMember() { user }: Member, @Param('code') code: string): Promise<Redirect> {
    await this.invitations.accept(code, user.id);
    const role = (await this.groups.byInviteCode(code, user.id))?.group.viewer.role;
    return redirectTo(
      `/groups/join/${encodeURIComponent(code)}`,
      role === 'requested' ? 'group_asked' : 'group_joined',
    );
  }
}

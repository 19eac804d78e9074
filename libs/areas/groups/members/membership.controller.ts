import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { idPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { GroupResource } from '../group.resource';
import { InviteMemberDto, MembersQueryDto } from './member.dto';
import { MemberResource } from './member.resource';
import { MembershipService } from './membership.service';
import { membershipCodes } from './membership.transitions';

const GroupIdPipe = idPipe('group');

/** GRP-10, GRP-12: joining, leaving, and the members. */
@ApiTags('Groups')
@Controller('groups/:id')
export class MembershipController {
  constructor(private readonly membership: MembershipService) {}

  /** Accepts an invitation; otherwise asks to join a public group. */
  @Post('join')
  @HttpCode(200)
  @Answers(GroupResource)
  @Refuses(...membershipCodes('join'))
  async joinGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<One<GroupResource>> {
    return one(await this.membership.join(caller, id));
  }

  /** Leaves, declines an invitation, or takes a request back. */
  @Delete('join')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses(...membershipCodes('leave'))
  async leaveGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.membership.leave(caller, id);
  }

  /** Members, for those who belong to the group; the owner also lists the invited and the requesters. */
  @Get('members')
  @AnswersPage(MemberResource)
  @Refuses('forbidden')
  async listGroupMembers(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @QueryInput(MembersQueryDto) input: Input<MembersQueryDto>,
  ): Promise<Page<MemberResource>> {
    return this.membership.list(caller, id, input);
  }

  /** The owner invites a searchable user; at most 30 invitations wait for an answer. */
  @Post('members')
  @Answers(MemberResource, { status: 201 })
  @Refuses('forbidden', ...membershipCodes('invite'), 'invite_limit_reached')
  async inviteGroupMember(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @BodyInput(InviteMemberDto) body: Input<InviteMemberDto>,
  ): Promise<One<MemberResource>> {
    return one(await this.membership.invite(caller, id, body));
  }

  /** The owner lets a requester in. */
  @Post('members/:slug/approve')
  @HttpCode(200)
  @Answers(MemberResource)
  @Refuses('forbidden', ...membershipCodes('approve'))
  async approveGroupMember(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<One<MemberResource>> {
    return one(await this.membership.approve(caller, id, slug));
  }

  /** The owner removes a member, cancels an invitation, or declines a request. */
  @Delete('members/:slug')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', ...membershipCodes('remove'))
  async removeGroupMember(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number, @Param('slug', SlugPipe) slug: string): Promise<void> {
    await this.membership.remove(caller, id, slug);
  }
}

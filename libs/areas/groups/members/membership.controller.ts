import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { GroupIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { GroupResource } from '../group.resource';
import { InviteMemberDto, MembersQueryDto } from '../member.dto';
import { MemberResource } from './member.resource';
import { MembershipService } from '../membership.service';
import { membershipCodes } from './membership.transitions';

/** Joining and leaving a group, and its members: the list, invitations, approvals and removals (GRP-10 to GRP-15). */
@ApiTags('Groups')
@Controller('groups/:id')
export class MembershipController {
  constructor(private readonly membership: MembershipService) {}

  /** Joins a group. Accepts an invitation if there is one; otherwise sends a request to the owner of a public group. */
  @Post('join')
  @HttpCode(200)
  @Answers(GroupResource)
  @Refuses(...membershipCodes('join'))
  async joinGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<One<GroupResource>> {
    return one(await this.membership.join(caller, id));
  }

  /**
   * Ends your relation to a group. A member leaves the group, an invited person declines the invitation, and a person
   * who asked to join withdraws the request. The owner cannot leave.
   */
  @Delete('join')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses(...membershipCodes('leave'))
  async leaveGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.membership.leave(caller, id);
  }

  /**
   * Lists the members of a group. For members only. With `status`, the owner can list invited people or people who
   * asked to join.
   */
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

  /**
   * Invites a person to a group. For the owner only. The person must be searchable and not banned, and must not block
   * you. A group has at most 30 unanswered invitations; a further invitation is refused with 409
   * `invite_limit_reached`.
   */
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

  /** Approves a request to join a group. For the owner only. The person becomes a member. */
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

  /**
   * Removes a person from a group. For the owner only. If the person is invited or has asked to join, this cancels the
   * invitation or declines the request.
   */
  @Delete('members/:slug')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', ...membershipCodes('remove'))
  async removeGroupMember(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<void> {
    await this.membership.remove(caller, id, slug);
  }
}

import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { GroupIdPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { sliceOf, type Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DiscoverGroups } from './nearby/discover-groups';
import { CreateGroupDto, DiscoverGroupsQueryDto, GroupsQueryDto, UpdateGroupDto } from './group.dto';
import { GroupResource, InviteLinkResource } from './group.resource';
import { GroupsReader } from './groups.reader';
import { GroupsService } from './groups.service';

/** Groups and their invite links (docs/rules/groups.md). */
@ApiTags('Groups')
@Controller('groups')
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly reader: GroupsReader,
    private readonly discovery: DiscoverGroups,
  ) {}

  /**
   * Lists the groups that you have a relation to. Without `relation`, these are the groups to which you belong. With
   * `invited`, they are the groups that have invited you. With `requested`, they are the groups that you have asked to
   * join.
   */
  @Get()
  @AnswersPage(GroupResource)
  async listGroups(
    @CurrentCaller() caller: Caller,
    @QueryInput(GroupsQueryDto) input: Input<GroupsQueryDto>,
  ): Promise<Page<GroupResource>> {
    const query = input.read();
    return this.reader.related(caller, query.relation ?? 'member', sliceOf(query));
  }

  /**
   * Lists public groups that you do not belong to. With `lat` and `lng`, the list contains the groups within
   * `radius_km`, nearest first. Without them, it contains groups at any distance, newest first. `lat` and `lng` must be
   * sent together; otherwise 422.
   */
  @Get('discover')
  @AnswersPage(GroupResource)
  async discoverGroups(
    @CurrentCaller() caller: Caller,
    @QueryInput(DiscoverGroupsQueryDto) input: Input<DiscoverGroupsQueryDto>,
  ): Promise<Page<GroupResource>> {
    return this.discovery.list(caller, input.read());
  }

  /**
   * Founds a group. You become its owner. If you already own five or more groups, the request is refused with 409
   * `group_limit_reached`. Send `latitude` and `longitude` together.
   */
  @Post()
  @Answers(GroupResource, { status: 201 })
  @Refuses('group_limit_reached')
  async createGroup(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreateGroupDto) body: Input<CreateGroupDto>,
  ): Promise<One<GroupResource>> {
    return one(await this.groups.create(caller, body));
  }

  /**
   * Shows a group. A private group is shown only to its members, invited people, and people who asked to join;
   * everybody else gets 404.
   */
  @Get(':id')
  @Answers(GroupResource)
  async getGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<One<GroupResource>> {
    return one(await this.groups.show(caller, id));
  }

  /**
   * Changes a group. For the owner only. Absent fields are not changed. If both coordinates are null, the location is
   * cleared. If only one coordinate is sent, the response is 422.
   */
  @Patch(':id')
  @Answers(GroupResource)
  @Refuses('forbidden', 'precondition_failed')
  async updateGroup(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @BodyInput(UpdateGroupDto) body: Input<UpdateGroupDto>,
    @IfMatch() precondition: Precondition,
  ): Promise<One<GroupResource>> {
    return one(await this.groups.change(caller, id, body, precondition));
  }

  /** Deletes a group with its memberships. For the owner only. The group's events remain and belong to no group. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'precondition_failed')
  async deleteGroup(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    await this.groups.remove(caller, id, precondition);
  }

  /**
   * Returns the invite link of a group. For the owner only. The link opens a web page; the link never changes or
   * expires.
   */
  @Post(':id/invite-link')
  @HttpCode(200)
  @Answers(InviteLinkResource)
  @Refuses('forbidden')
  async getGroupInviteLink(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
  ): Promise<One<InviteLinkResource>> {
    return one(await this.groups.inviteLink(caller, id));
  }
}

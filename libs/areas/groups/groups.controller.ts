import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { idPipe } from '#platform/http/public-ids';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { sliceOf, type Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DiscoverGroups } from './nearby/discover-groups';
import { CreateGroupDto, DiscoverGroupsQueryDto, GroupsQueryDto, UpdateGroupDto } from './group.dto';
import { GroupResource, InviteLinkResource } from './group.resource';
import { GroupsReader } from './groups.reader';
import { GroupsService } from './groups.service';

const GroupIdPipe = idPipe('group');

/** docs/rules/groups.md: the groups themselves. */
@ApiTags('Groups')
@Controller('groups')
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly reader: GroupsReader,
    private readonly discovery: DiscoverGroups,
  ) {}

  /** Groups the caller belongs to (the default), is invited to, or has asked to join. */
  @Get()
  @AnswersPage(GroupResource)
  async listGroups(
    @CurrentCaller() caller: Caller,
    @QueryInput(GroupsQueryDto) input: Input<GroupsQueryDto>,
  ): Promise<Page<GroupResource>> {
    const query = input.read();
    return this.reader.related(caller, query.relation ?? 'member', sliceOf(query));
  }

  /** Public groups the caller is not in: the nearest first with lat and lng, else the newest. */
  @Get('discover')
  @AnswersPage(GroupResource)
  async discoverGroups(
    @CurrentCaller() caller: Caller,
    @QueryInput(DiscoverGroupsQueryDto) input: Input<DiscoverGroupsQueryDto>,
  ): Promise<Page<GroupResource>> {
    return this.discovery.list(caller, input.read());
  }

  /** Founds a group; at most five per account. */
  @Post()
  @Answers(GroupResource, { status: 201 })
  @Refuses('group_limit_reached')
  async createGroup(@CurrentCaller() caller: Caller, @BodyInput(CreateGroupDto) body: Input<CreateGroupDto>): Promise<One<GroupResource>> {
    return one(await this.groups.found(caller, body));
  }

  /** A public group, or a private one the caller has to do with. */
  @Get(':id')
  @Answers(GroupResource)
  async getGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<One<GroupResource>> {
    return one(await this.groups.show(caller, id));
  }

  /** The owner changes what is sent; both coordinates null clear the location. */
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

  /** The owner deletes the group with its memberships; its events stay. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'precondition_failed')
  async deleteGroup(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number, @IfMatch() precondition: Precondition): Promise<void> {
    await this.groups.remove(caller, id, precondition);
  }

  /** The owner's permanent invite link, a web page. */
  @Post(':id/invite-link')
  @HttpCode(200)
  @Answers(InviteLinkResource)
  @Refuses('forbidden')
  async getGroupInviteLink(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<One<InviteLinkResource>> {
    return one(await this.groups.inviteLink(caller, id));
  }
}

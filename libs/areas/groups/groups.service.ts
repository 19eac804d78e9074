import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import { WireFormat } from '#platform/http/wire-format';
import type { Caller } from '../identity/caller.reader';
import { GroupAccessPolicy } from './group-access.policy';
import type { CreateGroupDto, UpdateGroupDto } from './group.dto';
import type { GroupResource, InviteLinkResource } from './group.resource';
import { GroupsCommands } from './groups.commands';
import { GroupsReader } from './groups.reader';

/** Founding, showing and managing groups (GRP-4, GRP-5). */
@Injectable()
export class GroupsService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly commands: GroupsCommands,
    private readonly reader: GroupsReader,
    private readonly wire: WireFormat,
  ) {}

  async found(caller: Caller, input: Input<CreateGroupDto>): Promise<GroupResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const groupId = await this.commands.found(tx, caller.id, fields);
      return this.reader.show(tx, caller, groupId);
    });
  }

  async show(caller: Caller, groupId: number): Promise<GroupResource> {
    await this.access.visible(this.database, groupId, caller.id);
    return this.reader.show(this.database, caller, groupId);
  }

  async change(
    caller: Caller,
    groupId: number,
    input: Input<UpdateGroupDto>,
    precondition: Precondition,
  ): Promise<GroupResource> {
    return this.database.transaction(async (tx) => {
      const group = await this.access.lockOwned(tx, groupId, caller.id);
      await precondition.judge(group.version, () => this.reader.show(tx, caller, groupId));
      await this.commands.change(tx, group, input.read());
      return this.reader.show(tx, caller, groupId);
    });
  }

  async remove(caller: Caller, groupId: number, precondition: Precondition): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.owned(tx, groupId, caller.id);
      await this.commands.remove(tx, groupId, ({ version }) =>
        precondition.judge(version, () => this.reader.show(tx, caller, groupId)),
      );
    });
  }

  /** The permanent link: always the same while the group exists. */
  async inviteLink(caller: Caller, groupId: number): Promise<InviteLinkResource> {
    await this.access.owned(this.database, groupId, caller.id);
    const code = await this.reader.inviteCode(groupId);
    return { url: this.wire.page(`/groups/join/${code}`) };
  }
}

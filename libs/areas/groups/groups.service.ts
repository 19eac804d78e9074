import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import type { Precondition } from '#platform/http/precondition';
import { WireFormat } from '#platform/http/wire-format';
import type { MediaKey } from '#platform/storage/media-key';
import type { Caller } from '../identity/caller.reader';
import { GroupAccessPolicy } from './group-access.policy';
import type { CreateGroupDto, UpdateGroupDto } from './group.dto';
import { Group } from './group.entity';
import type { GroupResource, InviteLinkResource } from './group.resource';
import { GroupsCommands } from './groups.commands';
import { GroupsReader } from './groups.reader';
import { GroupPicturesCommands, type GroupPicture } from './pictures/group-pictures.commands';

const GROUP_PICTURES = ['avatar', 'cover'] as const satisfies readonly GroupPicture[];
/** Pictures that were sent in the same form as the fields of the group. Their files are already stored. */
type NewGroupPictures = Readonly<Partial<Record<GroupPicture, MediaKey | undefined>>>;

/** Creates, shows, changes and deletes groups (GRP-4, GRP-5). */
@Injectable()
export class GroupsService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly commands: GroupsCommands,
    private readonly pictures: GroupPicturesCommands,
    private readonly reader: GroupsReader,
    private readonly wire: WireFormat,
  ) {}

  async create(caller: Caller, input: Input<CreateGroupDto>, pictures: NewGroupPictures = {}): Promise<GroupResource> {
    const fields = input.read();
    return this.database.transaction(async (tx) => {
      const groupId = await this.commands.create(tx, caller.id, fields);
      // No other transaction sees the new row, so it needs no lock.
      if (hasPicture(pictures))
        await this.setPictures(tx, await tx.manager.findOneByOrFail(Group, { id: groupId }), pictures);
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
    pictures: NewGroupPictures = {},
  ): Promise<GroupResource> {
    return this.database.transaction(async (tx) => {
      const group = await this.access.lockOwned(tx, groupId, caller.id);
      await precondition.check(group.version, () => this.reader.show(tx, caller, groupId));
      await this.commands.change(tx, group, input.read());
      await this.setPictures(tx, group, pictures);
      return this.reader.show(tx, caller, groupId);
    });
  }

  async remove(caller: Caller, groupId: number, precondition: Precondition): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.access.owned(tx, groupId, caller.id);
      await this.commands.remove(tx, groupId, async ({ version }) => {
        // Another person may have become the owner before the group was locked (DATA-15).
        await this.access.owned(tx, groupId, caller.id);
        await precondition.check(version, () => this.reader.show(tx, caller, groupId));
      });
    });
  }

  /** The invite link. It does not change while the group exists. */
  async inviteLink(caller: Caller, groupId: number): Promise<InviteLinkResource> {
    await this.access.owned(this.database, groupId, caller.id);
    const code = await this.reader.inviteCode(groupId);
    return { url: this.wire.page(`/groups/join/${code}`) };
  }

  private async setPictures(tx: Transaction, group: Group, pictures: NewGroupPictures): Promise<void> {
    for (const kind of GROUP_PICTURES) {
      const key = pictures[kind];
      if (key !== undefined) await this.pictures.setPicture(tx, group, kind, key);
    }
  }
}

function hasPicture(pictures: NewGroupPictures): boolean {
  return GROUP_PICTURES.some((kind) => pictures[kind] !== undefined);
}

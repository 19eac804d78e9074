import { Injectable } from '@nestjs/common';
import { GroupAccessPolicy } from '#areas/groups/group-access.policy';
import type { GroupResource } from '#areas/groups/group.resource';
import { GroupsReader } from '#areas/groups/groups.reader';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Reader } from '../readers';

/** Groups for the pages. Each method returns a group only if the given reader may see it. */
@Injectable()
export class VisibleGroups {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccessPolicy,
    private readonly groups: GroupsReader,
    private readonly wire: WireFormat,
  ) {}

  /** Throws 404 if the group does not exist or the reader may not see it. */
  async group(hashid: string, { caller }: Reader): Promise<{ groupId: number; group: GroupResource }> {
    const groupId = this.wire.ids.decode('group', hashid);
    if (groupId === null) throw new Refusal('not_found');
    await this.access.visible(this.database, groupId, caller.id);
    return { groupId, group: await this.groups.show(this.database, caller, groupId) };
  }

  /** Returns null if the group does not exist or the reader may not see it. */
  async groupOrNull(hashid: string | null, reader: Reader): Promise<GroupResource | null> {
    if (hashid === null) return null;
    try {
      return (await this.group(hashid, reader)).group;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }
}

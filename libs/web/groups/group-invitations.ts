import { Injectable } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import { MembershipsCommands } from '#areas/groups/memberships.commands';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';

/** Makes a person a member of a group, or requests membership, when the person uses the group's invite link. */
@Injectable()
export class GroupInvitations {
  constructor(
    private readonly database: Database,
    private readonly groups: GroupsReader,
    private readonly memberships: MembershipsCommands,
  ) {}

  /**
   * Accepts the invitation if the person has one; otherwise requests membership, even if the group is private. If the
   * transition table refuses this (for example for a member, or for a person who has already sent a request), nothing
   * changes and no error is thrown. Throws 404 if no group has this link.
   */
  async accept(code: string, userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const groupId = await this.groups.lockByInviteCode(tx, code);
      if (groupId === null) throw new Refusal('not_found');
      try {
        await this.memberships.move(tx, groupId, userId, 'join');
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { GroupsReader } from '../../groups/groups.reader';

/** Checks the group that the organizer chose for a new event (GRP-19). */
@Injectable()
export class EventGroupPolicy {
  constructor(
    private readonly groups: GroupsReader,
    private readonly ids: PublicIds,
  ) {}

  /**
   * Returns the group's id. Throws 422 on `group` if the group is unknown or the organizer is not a member. The group
   * and the membership cannot be deleted until the transaction ends.
   */
  async chosenBy(tx: Transaction, organizerId: number, hashid: string): Promise<number> {
    const groupId = this.ids.decode('group', hashid);
    if (groupId === null || !(await this.groups.lockMembership(tx, groupId, organizerId)))
      throw Refusal.invalid('group', 'not_your_group');
    return groupId;
  }
}

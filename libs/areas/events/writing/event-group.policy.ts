import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { GroupsReader } from '../../groups/groups.reader';

/** The group that a new event is created with (GRP-19). */
@Injectable()
export class EventGroupPolicy {
  constructor(
    private readonly groups: GroupsReader,
    private readonly ids: PublicIds,
  ) {}

  /**
   * Its id. 422 on `group` for one the organizer does not belong to, known or not. Until the transaction ends neither the
   * group nor the membership goes.
   */
  async chosenBy(tx: Transaction, organizerId: number, hashid: string): Promise<number> {
    const groupId = this.ids.decode('group', hashid);
    if (groupId === null || !(await this.groups.holdMembership(tx, groupId, organizerId)))
      throw Refusal.invalid('group', 'not_your_group');
    return groupId;
  }
}

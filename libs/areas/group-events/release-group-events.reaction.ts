import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { GroupDeleted } from '../groups/group.signal';
import { RELEASE_EVENTS } from './group-events.query';

/**
 * The events of a deleted group stay and belong to none. The foreign key says the same, but would take the events' locks after
 * the group's.
 */
@Injectable()
export class ReleaseGroupEvents implements Reaction<GroupDeleted> {
  async react(tx: Transaction, { groupId }: GroupDeleted): Promise<void> {
    await tx.rows(RELEASE_EVENTS, [groupId]);
  }
}

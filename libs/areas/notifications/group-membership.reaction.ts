import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { MembershipChanged } from '../groups/group.signal';
import { NotificationsCommands } from './notifications.commands';

/** Writes the notices about invitations to groups, requests to join groups, and approved requests (NOTE-18). */
@Injectable()
export class NotifyOfMembership implements Reaction<MembershipChanged> {
  constructor(private readonly notifications: NotificationsCommands) {}

  async react(tx: Transaction, { groupId, userId, trigger, role }: MembershipChanged): Promise<void> {
    // The notice goes to `userId` and names `personId`. For both, null means the owner of the group.
    const toOwner = { groupId, userId: null, personId: userId };
    const fromOwner = { groupId, userId, personId: null };
    if (trigger === 'join' && role === 'requested')
      await this.notifications.notifyOfGroup(tx, 'group_request', toOwner);
    if (trigger === 'invite') await this.notifications.notifyOfGroup(tx, 'group_invitation', fromOwner);
    if (trigger === 'approve') await this.notifications.notifyOfGroup(tx, 'group_approval', fromOwner);
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import { NotificationsCommands } from '../notifications/notifications.commands';
import type { AppRow } from './app.query';
import { ADD_CONSENT, END_LONGEST_UNUSED, INSERT_GRANT } from './grant.query';

/** A grant to be created: the scopes and resources that the person allows an app to use. */
export interface NewGrant {
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly resources: readonly string[];
}

/** Creates grants (APP-15). */
@Injectable()
export class GrantsCommands {
  constructor(
    private readonly notifications: NotificationsCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a grant, adds its scopes to the consent, and returns the id of the grant. The first consent to the app
   * causes a notice. The calling code has locked the app's row. If the account already has the maximum number of
   * grants, the grant that was unused for the longest time is deleted.
   */
  async create(tx: Transaction, app: AppRow, { userId, scopes, resources }: NewGrant): Promise<string> {
    await lockAccount(tx, userId);
    const now = this.clock.now();
    const [consent] = await tx.rows<{ is_first: boolean }>(ADD_CONSENT, [userId, app.id, scopes, now]);
    if (consent?.is_first)
      await this.notifications.notifyAbout(tx, 'app_connected', {
        userId,
        subject: { type: 'app', id: Number(app.id) },
        words: { app: app.name },
      });
    await tx.rows(END_LONGEST_UNUSED, [userId, LIMITS.apps.grants_per_account - 1]);
    const [grant] = await tx.rows<{ id: string }>(INSERT_GRANT, [app.id, userId, scopes, resources, now]);
    if (!grant) throw new Error('the grant was not stored');
    return grant.id;
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import { statement, type Transaction } from '#platform/database/database';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { AppDisconnected } from './app.signal';
import type { AppRow } from './app.query';
import { ADD_CONSENT, END_GRANTS_OF_APP, END_LONGEST_UNUSED, FORGET_CONSENT, INSERT_GRANT } from './grant.query';

const APPS_OF_ACCOUNT = statement(
  'apps_of_account',
  `SELECT app_id FROM app_grants WHERE user_id = $1 UNION SELECT app_id FROM app_consents WHERE user_id = $1 ORDER BY app_id`,
);

/** A grant to be created: the scopes and resources that the person allows an app to use. */
export interface NewGrant {
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly resources: readonly string[];
}

/** Creates and ends grants (APP-15, APP-16). */
@Injectable()
export class GrantsCommands {
  constructor(
    private readonly notifications: NotificationsCommands,
    private readonly signals: Signals,
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

  /**
   * Ends all grants that the account has given to the app, and deletes the consent. Returns false if the app was not
   * connected.
   */
  async disconnect(tx: Transaction, userId: number, appId: number): Promise<boolean> {
    await lockAccount(tx, userId);
    await tx.rows(END_GRANTS_OF_APP, [userId, appId]);
    const [consent] = await tx.rows<{ scopes: Scope[] }>(FORGET_CONSENT, [userId, appId]);
    if (!consent) return false;
    await this.signals.raise(tx, new AppDisconnected(userId, consent.scopes));
    return true;
  }

  async disconnectAll(tx: Transaction, userId: number): Promise<void> {
    await lockAccount(tx, userId);
    for (const { app_id } of await tx.rows<{ app_id: string }>(APPS_OF_ACCOUNT, [userId]))
      await this.disconnect(tx, userId, Number(app_id));
  }
}

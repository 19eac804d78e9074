import { Injectable } from '@nestjs/common';
import type { Scope } from '#contract/scopes';
import { Database, statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { lockAccount } from '../identity/users.reader';
import { AppDisconnected } from './app.signal';
import { CONNECTED_APPS, END_GRANTS_OF_APP, FORGET_CONSENT, unusedSince, type ConnectedApp } from './grant.query';

const APPS_OF_ACCOUNT = statement(
  'apps_of_account',
  `SELECT app_id FROM app_grants WHERE user_id = $1 UNION SELECT app_id FROM app_consents WHERE user_id = $1 ORDER BY app_id`,
);

/** The apps that a person has connected (APP-16). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** The connected apps, sorted by name. */
  list(userId: number): Promise<ConnectedApp[]> {
    return this.database.rows<ConnectedApp>(CONNECTED_APPS, [userId, unusedSince(this.clock.now())]);
  }

  /**
   * Ends all grants that the person gave to the app, and deletes the person's consent. From the next request on, the
   * tokens of these grants are refused. Throws 404 if the person has given the app no consent.
   */
  async disconnect(userId: number, appId: number): Promise<void> {
    const wasConnected = await this.database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      return this.endGrants(tx, userId, appId);
    });
    if (!wasConnected) throw new Refusal('not_found');
  }

  async disconnectAll(userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      for (const { app_id } of await tx.rows<{ app_id: string }>(APPS_OF_ACCOUNT, [userId]))
        await this.endGrants(tx, userId, Number(app_id));
    });
  }

  /**
   * Ends all grants that the account has given to the app, and deletes the consent. Returns false if the app was not
   * connected. The account must be locked.
   */
  private async endGrants(tx: Transaction, userId: number, appId: number): Promise<boolean> {
    await tx.rows(END_GRANTS_OF_APP, [userId, appId]);
    const [consent] = await tx.rows<{ scopes: Scope[] }>(FORGET_CONSENT, [userId, appId]);
    if (!consent) return false;
    await this.signals.raise(tx, new AppDisconnected(userId, consent.scopes));
    return true;
  }
}

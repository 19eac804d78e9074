import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { refuseTooManyLookups } from '#platform/http/too-many-lookups';
import { HostNames } from '#platform/net/host-names';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import { lockAccount } from '../identity/users.reader';
import type { PushTarget } from './push-message';
import { pushTargetOf } from './push-subscription.rules';
import {
  COUNT_SUBSCRIPTIONS,
  END_FOREIGN,
  END_SUBSCRIPTION,
  INSERT_SUBSCRIPTION,
  MOVE_TO_SESSION,
  RENEW_SUBSCRIPTION,
  SUBSCRIPTIONS_OF,
  type PushSubscriptionRow,
} from './push.query';

/** The browser that subscribes. */
export interface SubscribingBrowser {
  readonly userId: number;
  readonly sessionId: string;
  /** The id in the browser's device cookie; null if the browser has no such cookie. */
  readonly deviceId: string | null;
  readonly name: string;
}

/** The browsers to which an account's notices are pushed (PUSH-1 to PUSH-3). */
@Injectable()
export class PushSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly names: HostNames,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** The subscriptions of an account, the oldest first. */
  list(userId: number): Promise<readonly PushSubscriptionRow[]> {
    return this.database.rows<PushSubscriptionRow>(SUBSCRIPTIONS_OF, [userId]);
  }

  /**
   * Subscribes a browser; a browser that has already subscribed keeps its entry. Throws 422 for an invalid
   * subscription, and for an address to which the service must not connect. Throws 429 if too many host names are being
   * resolved for the account, ServiceBusy if too many are being resolved for all accounts, and 409 if the account
   * already has the maximum number of subscriptions.
   */
  async subscribe(
    browser: SubscribingBrowser,
    sent: unknown,
  ): Promise<{ readonly entry: PushSubscriptionRow; readonly isNew: boolean }> {
    const target = pushTargetOf(sent);
    await this.refuseUnreachable(browser.userId, target.endpoint);
    return this.database.transaction(async (tx) => {
      await lockAccount(tx, browser.userId);
      return this.store(tx, browser, target);
    });
  }

  /**
   * Called when a session begins in a browser. Assigns all subscriptions of this account in the browser to the new
   * session, including subscriptions of an expired session. When the new session is ended, these subscriptions also end
   * (PUSH-3).
   */
  async moveToSession(tx: Transaction, userId: number, deviceId: string, sessionId: string): Promise<void> {
    await tx.rows(MOVE_TO_SESSION, [userId, hashSecret(deviceId), sessionId]);
  }

  /** Ends a subscription. Throws 404 if the account does not have this subscription. */
  async remove(userId: number, id: string): Promise<void> {
    const removed = isUUID(id) ? await this.database.autocommit.rows(END_SUBSCRIPTION, [userId, id]) : [];
    if (removed.length === 0) throw new Refusal('not_found');
  }

  private async store(
    tx: Transaction,
    { userId, sessionId, deviceId, name }: SubscribingBrowser,
    target: PushTarget,
  ): Promise<{ entry: PushSubscriptionRow; isNew: boolean }> {
    const hash = hashSecret(target.endpoint);
    const device = deviceId === null ? null : hashSecret(deviceId);
    const content = [userId, hash, this.sealer.seal(JSON.stringify(target)), name, sessionId, device];
    for (;;) {
      const [renewed] = await tx.rows<PushSubscriptionRow>(RENEW_SUBSCRIPTION, content);
      if (renewed) return { entry: renewed, isNew: false };
      const [count] = await tx.rows<{ total: number }>(COUNT_SUBSCRIPTIONS, [userId]);
      if ((count?.total ?? 0) >= LIMITS.push.per_account) throw new Refusal('conflict');
      await tx.rows(END_FOREIGN, [userId, hash]);
      const { host } = new URL(target.endpoint);
      const values = [randomUUID(), ...content, host, this.clock.now()];
      const [entry] = await tx.rows<PushSubscriptionRow>(INSERT_SUBSCRIPTION, values);
      // If there is no entry, another account has just subscribed with the same address. The next round of this loop
      // replaces the subscription of that account.
      if (entry) return { entry, isNew: true };
    }
  }

  private async refuseUnreachable(userId: number, endpoint: string): Promise<void> {
    const reachable = await this.names.reachable(userId, endpoint).catch(refuseTooManyLookups);
    if (!reachable) throw Refusal.invalid('endpoint', 'url_unreachable');
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { HostNames, TooManyLookups } from '#platform/net/host-names';
import { postMessage, type ReceiverAnswer } from '#platform/net/post-message';
import type { ReachableAddress } from '#platform/net/reachable-address';
import { Clock } from '#platform/time/clock';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { nextTryAfter } from './retries.rules';
import { LOCK_ACTIVE, PAUSE_WEBHOOK, STORE_RESULT, type ReservedWebhook, type OpenDelivery } from './sending.query';
import { signedHeaders } from './webhook-message';

const GONE = 410;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'events-webhooks' } as const;

/** The result of an attempt. */
export interface TryOutcome {
  /** Whether the receiver has accepted the message. */
  readonly isAccepted: boolean;
  /** Whether the attempt was slow. If so, the webhook waits in the slow lane, a separate queue (HOOK-16). */
  readonly isSlow: boolean;
}

/** Makes an attempt to send a message, stores the result, and pauses the webhook if necessary (HOOK-9, HOOK-10). */
@Injectable()
export class WebhookTries {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly names: HostNames,
    private readonly notifications: NotificationsCommands,
    private readonly clock: Clock,
  ) {}

  /** Makes an attempt. If `stop` is aborted, the body of the response is not read any further. */
  async send(webhook: ReservedWebhook, delivery: OpenDelivery, stop: AbortSignal): Promise<TryOutcome> {
    const at = this.clock.now();
    const secrets = await this.secretsOf(webhook, at);
    const started = performance.now();
    const { status, text } = await this.post(webhook, delivery, { secrets, at, stop });
    const durationMs = Math.round(performance.now() - started);
    const isAccepted = status !== null && status >= 200 && status < 300;
    const isGone = status === GONE;
    const first = delivery.first_attempt_at ?? at;
    const isWaiting = delivery.status === 'pending' && !delivery.is_test;
    const next =
      isWaiting && !isAccepted && !isGone ? nextTryAfter(delivery.attempts + 1, first, this.clock.now()) : null;
    // The status of a delivered message does not change if a repeated attempt fails.
    const isDelivered = isAccepted || delivery.status === 'delivered';
    const failedStatus = next ? 'pending' : 'failed';
    const newStatus = isDelivered ? 'delivered' : failedStatus;
    const before = [delivery.status, delivery.is_asked, delivery.next_attempt_at];
    const result = [delivery.id, newStatus, status, durationMs, text, at, next, ...before];
    if (isGone || (isWaiting && newStatus === 'failed')) await this.storeAndPause(webhook, result, isGone);
    else await this.database.outsideTransaction.rows(STORE_RESULT, result);
    return { isAccepted, isSlow: durationMs >= LIMITS.webhooks.slow * 1000 };
  }

  /**
   * Sends the message if it can be signed (OPS-26) and its address can be used (`targetOf`). An attempt that sends
   * nothing counts as failed.
   */
  private async post(
    webhook: ReservedWebhook,
    { message_id, body }: OpenDelivery,
    { secrets, at, stop }: { secrets: readonly string[]; at: Date; stop: AbortSignal },
  ): Promise<ReceiverAnswer> {
    if (secrets.length === 0) return { status: null, text: 'the secret of the webhook cannot be decrypted' };
    const target = await this.targetOf(webhook);
    if (typeof target === 'string') return { status: null, text: target };
    return postMessage(target, {
      headers: { ...HEADERS, ...signedHeaders(secrets, message_id, at, body) },
      body: Buffer.from(body),
      within: LIMITS.webhooks.answer.within,
      stop,
    });
  }

  /** Returns the address to send to, or the reason why nothing is sent. */
  private async targetOf({ url, user_id }: ReservedWebhook): Promise<ReachableAddress | string> {
    try {
      const target = await this.names.reachable(Number(user_id), url);
      return target ?? 'the address is not reachable from the internet';
    } catch (error) {
      if (error instanceof TooManyLookups || error instanceof ServiceBusy)
        return 'the host name was not resolved, because too many other host names are being resolved';
      throw error;
    }
  }

  /**
   * Stores the result of the last attempt, pauses the webhook and notifies its owner. Does not pause the webhook if it
   * is no longer active, or if the owner changed its address during the attempt. After a response other than 410, also
   * does not pause the webhook if the owner activated it again or requested another attempt.
   */
  private storeAndPause(
    { id, user_id, url }: ReservedWebhook,
    result: readonly unknown[],
    isGone: boolean,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      // The webhook is locked before its delivery, in the same order as when its owner changes it.
      const [active] = await tx.rows(LOCK_ACTIVE, [id, url]);
      const [stored] = await tx.rows<{ is_unchanged: boolean }>(STORE_RESULT, result);
      if (!active || !(isGone || stored?.is_unchanged)) return;
      await tx.rows(PAUSE_WEBHOOK, [id, this.clock.now()]);
      await this.notifications.notifyAbout(tx, 'webhook_paused', {
        userId: Number(user_id),
        subject: { type: 'webhook', id: Number(id) },
        words: { url },
      });
    });
  }

  /**
   * The secrets for signatures, the newest first. A replaced secret is used for one day after its replacement. Secrets
   * that cannot be decrypted are omitted.
   */
  private async secretsOf(
    { secret_sealed, former_secret_sealed, rotated_at }: ReservedWebhook,
    now: Date,
  ): Promise<readonly string[]> {
    const isFormerValid =
      rotated_at !== null && now.getTime() - rotated_at.getTime() < LIMITS.webhooks.former_secret * 1000;
    const sealed = [secret_sealed, ...(former_secret_sealed && isFormerValid ? [former_secret_sealed] : [])];
    return (await Promise.all(sealed.map((one) => this.sealer.open(one)))).filter((one) => one !== null);
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { Sealer } from '#platform/config/sealer';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { HostNames, TooManyLookups } from '#platform/net/host-names';
import { postMessage, type ReceiverAnswer } from '#platform/net/post-message';
import type { ReachableAddress } from '#platform/net/reachable-address';
import { Clock } from '#platform/time/clock';
import { NoticeMessagesReader, type NoticeMessage } from '../notifications/notice-messages.reader';
import { resultOf } from './attempts.rules';
import { PushChoicesCommands } from './push-choices.commands';
import { pushContact } from './push-contact.rules';
import { PushKeys } from './push-keys';
import { fittingJson, pushRequest, type PushTarget } from './push-message';
import { DELETE_MESSAGE, DROP_SUBSCRIPTION, TRY_LATER, type DueSubscription, type OpenMessage } from './sending.query';

/** One attempt to send a message, and its consequences (PUSH-4 to PUSH-7). */
@Injectable()
export class PushTries {
  constructor(
    private readonly database: Database,
    private readonly notices: NoticeMessagesReader,
    private readonly choices: PushChoicesCommands,
    private readonly keys: PushKeys,
    private readonly names: HostNames,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one attempt to send a message. If the subscription cannot be decrypted, deletes the subscription instead. If
   * the message must not be sent any more (`noticeToSend`), deletes the message instead. Returns whether the push
   * service was slow (HOOK-16); false if no attempt was made or the subscription has ended. If `stop` is aborted, the
   * body of the response is not read any further.
   */
  async send(subscription: DueSubscription, { notice_id, attempts }: OpenMessage, stop: AbortSignal): Promise<boolean> {
    const content = await this.sealer.open(subscription.subscription_sealed);
    if (content === null) return this.deleteSubscription(subscription);
    const messageKey = [notice_id, subscription.id];
    const notice = await this.noticeToSend(subscription, notice_id);
    if (!notice) return this.deleteMessage(messageKey);
    const started = performance.now();
    const answer = await this.post(subscription, JSON.parse(content) as PushTarget, notice, stop);
    const isSlow = performance.now() - started >= LIMITS.webhooks.slow * 1000;
    const result = resultOf(answer, attempts, this.clock.now(), notice.until);
    if (result === 'ended') return this.deleteSubscription(subscription);
    if (result === 'done') await this.deleteMessage(messageKey);
    else await this.database.outsideTransaction.rows(TRY_LATER, [...messageKey, result.retryAt, attempts]);
    return isSlow;
  }

  /**
   * The notice, or null if it was deleted, is no longer useful, or has a kind that the account no longer wants as push
   * messages.
   */
  private async noticeToSend({ user_id }: DueSubscription, noticeId: string): Promise<NoticeMessage | null> {
    const notice = await this.notices.messageOf(Number(noticeId));
    if (!notice || notice.until <= this.clock.now()) return null;
    return (await this.choices.stoppedKindsOf(Number(user_id))).includes(notice.kind) ? null : notice;
  }

  private async post(
    { user_id }: DueSubscription,
    target: PushTarget,
    { title, body, url, tag, until }: NoticeMessage,
    stop: AbortSignal,
  ): Promise<ReceiverAnswer> {
    const address = await this.addressOf(Number(user_id), target);
    if (!address) return { status: null, text: 'the address is not reachable, or its host name was not resolved' };
    const keys = await this.keys.pair();
    // The message may have expired while the host name was resolved.
    const ttl = Math.ceil((until.getTime() - this.clock.now().getTime()) / 1000);
    if (ttl <= 0) return { status: null, text: 'the message has expired' };
    const request = await pushRequest(target, fittingJson({ title, body, url, tag }), {
      keys,
      contact: pushContact(this.settings.securityContact, this.settings.baseUrl),
      ttl,
    });
    return postMessage(address, { ...request, within: LIMITS.push.answer_within, stop });
  }

  /**
   * Null if the address is not reachable from the internet, or if too many host names are being resolved. In both cases
   * the message is retried, as after an attempt without a response (`resultOf`).
   */
  private addressOf(userId: number, { endpoint }: PushTarget): Promise<ReachableAddress | null> {
    return this.names.reachable(userId, endpoint).catch((error: unknown) => {
      if (error instanceof TooManyLookups || error instanceof ServiceBusy) return null;
      throw error;
    });
  }

  private async deleteMessage(messageKey: readonly unknown[]): Promise<false> {
    await this.database.outsideTransaction.rows(DELETE_MESSAGE, messageKey);
    return false;
  }

  private async deleteSubscription({ id, subscription_sealed }: DueSubscription): Promise<false> {
    await this.database.outsideTransaction.rows(DROP_SUBSCRIPTION, [id, subscription_sealed]);
    return false;
  }
}

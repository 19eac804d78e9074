import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { CommitNotifier } from '#platform/changes/commit-notifier';
import {
  LaneSender,
  type Lanes,
  type NextAttempt,
  type ReservedReceiver,
  type Turn,
} from '#platform/changes/lane-sender';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { ChangesReader, type NewChanges } from '../changes/changes.reader';
import {
  DROP_HIDDEN,
  END_RESERVATION,
  NEXT_MESSAGE,
  OPEN_DELIVERY,
  NEXT_ATTEMPT,
  READ_TO,
  EXTEND_RESERVATION,
  TAKE_DUE,
  type ReservedWebhook,
  type OpenDelivery,
} from './sending.query';
import { newMessageId, type WebhookMessage } from './webhook-message';
import { CONTINUE_FROM } from './webhook.query';
import { WebhookTries } from './webhook-tries';
import { slugsIn } from './without-person';

const { shares: SHARES } = LIMITS;
const MAX_ENTRIES_PER_READ = 50;
/**
 * Milliseconds for which an entry may be sent after it was read. After this time, the entry is read again, so that its
 * visibility is checked again.
 */
const MAX_ENTRY_AGE_MS = 2_000;

/**
 * Sends the messages of webhooks with the `LaneSender`. The messages of one webhook are sent in the order of the feed.
 */
@Injectable()
export class WebhookSending extends LaneSender {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesReader,
    private readonly tries: WebhookTries,
    private readonly sequencer: ChangeSequencer,
    commits: CommitNotifier,
    clock: Clock,
  ) {
    super({ quick: SHARES.webhooks.all, slow: SHARES.slow_webhooks.all }, commits, clock);
  }

  protected async reserve(now: Date, until: Date, { quick, slow }: Lanes): Promise<readonly ReservedReceiver[]> {
    await this.sequencer.numberEntries();
    const idleSince = new Date(now.getTime() - this.changes.maxIdleMs);
    return this.database.outsideTransaction.rows<ReservedReceiver>(TAKE_DUE, [now, until, quick, slow, idleSince]);
  }

  protected async nextAttempt(): Promise<NextAttempt> {
    const [next] = await this.database.rows<NextAttempt>(NEXT_ATTEMPT, [this.clock.now()]);
    return next ?? { is_used: false, next_attempt_at: null };
  }

  protected async step(id: string, turn: Turn, until: Date): Promise<boolean> {
    const [webhook] = await this.database.outsideTransaction.rows<ReservedWebhook>(EXTEND_RESERVATION, [
      id,
      until,
      this.clock.now(),
      turn.reservedUntil,
    ]);
    if (!webhook) return false;
    turn.reservedUntil = until;
    const [open] = await this.database.rows<OpenDelivery>(OPEN_DELIVERY, [id]);
    if (!open) return webhook.status === 'active' && (await this.sendNewChanges(webhook, turn));
    const isDue =
      open.is_asked ||
      (webhook.status === 'active' && open.next_attempt_at !== null && open.next_attempt_at <= this.clock.now());
    if (!isDue) return false;
    if (!(await this.mayStillSend(webhook, open))) {
      await this.database.outsideTransaction.rows(DROP_HIDDEN, [open.id]);
      return true;
    }
    return (await this.send(webhook, open, turn)) || open.is_asked;
  }

  /**
   * Whether the message may still be sent. Test messages, and messages that the receiver already has, may always be
   * sent. Any other message may be sent only if the owner still sees the change in the message.
   */
  private async mayStillSend(webhook: ReservedWebhook, { is_test, status, body }: OpenDelivery): Promise<boolean> {
    if (is_test || status === 'delivered') return true;
    const { data } = JSON.parse(body) as WebhookMessage;
    return this.changes.isVisible(ownerOf(webhook), data.cursor);
  }

  protected release(id: string, { isSlow, reservedUntil }: Turn, now: Date): Promise<unknown> {
    return this.database.outsideTransaction.rows(END_RESERVATION, [id, isSlow, now, reservedUntil]);
  }

  /** Sends the message, and returns whether the receiver has accepted it. */
  private async send(webhook: ReservedWebhook, delivery: OpenDelivery, turn: Turn): Promise<boolean> {
    const { isAccepted, isSlow } = await this.tries.send(webhook, delivery, this.stop);
    turn.isSlow = isSlow;
    turn.sent++;
    return isAccepted;
  }

  /**
   * Creates messages from the next entries of the feed, and sends them one by one. Returns whether the next step of the
   * turn may follow. Returns false if a message was not accepted, if the first message could not be stored, if the feed
   * contained no new entry, or if `readNewEntries` returned null.
   */
  private async sendNewChanges(webhook: ReservedWebhook, turn: Turn): Promise<boolean> {
    const began = performance.now();
    const lastNumber = await this.sequencer.numberEntries();
    const unsent = await this.readNewEntries(webhook);
    if (!unsent) return false;
    let { position, sent_cursor: previous } = webhook;
    let isFirst = true;
    for (const data of unsent.entries) {
      if (!isFirst && (!this.mayContinue(turn) || performance.now() - began > MAX_ENTRY_AGE_MS)) return true;
      const message: WebhookMessage = { type: data.type, timestamp: data.at, previous, data };
      const messageId = newMessageId();
      const body = JSON.stringify(message);
      const now = this.clock.now();
      const until = this.reservedUntil(now);
      const [stored] = await this.database.outsideTransaction.rows<{ id: string }>(NEXT_MESSAGE, [
        webhook.id,
        messageId,
        body,
        data.cursor,
        now,
        position,
        until,
        turn.reservedUntil,
        slugsIn(data),
      ]);
      if (!stored) return !isFirst;
      turn.reservedUntil = until;
      position = previous = data.cursor;
      const delivery = {
        id: stored.id,
        message_id: messageId,
        body,
        is_test: false,
        is_asked: false,
        status: 'pending',
        attempts: 0,
        first_attempt_at: null,
        next_attempt_at: now,
      } as const;
      if (!(await this.send(webhook, delivery, turn))) return false;
      isFirst = false;
    }
    await this.database.outsideTransaction.rows(READ_TO, [
      webhook.id,
      unsent.cursor,
      unsent.hasMore ? 0 : lastNumber,
      this.clock.now(),
      position,
    ]);
    return !isFirst || unsent.hasMore;
  }

  /**
   * Reads the next entries. Null if the feed no longer contains the webhook's position; the webhook then continues at
   * the end of the feed.
   */
  private async readNewEntries(webhook: ReservedWebhook): Promise<NewChanges | null> {
    const { id, position, types } = webhook;
    try {
      return await this.changes.after(ownerOf(webhook), position, {
        types: types && new Set(types),
        limit: MAX_ENTRIES_PER_READ,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.database.outsideTransaction.rows(CONTINUE_FROM, [
        id,
        await this.changes.endCursor(),
        this.clock.now(),
      ]);
      return null;
    }
  }
}

/** The webhook's owner as a viewer of the feed, with the scopes of the webhook. */
function ownerOf({ user_id, scopes }: ReservedWebhook): { id: number; scopes: ReservedWebhook['scopes'] } {
  return { id: Number(user_id), scopes };
}

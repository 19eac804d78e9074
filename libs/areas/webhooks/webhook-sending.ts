import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ChangeSequencer } from '#platform/changes/change-sequencer';
import { CommitNotifier } from '#platform/changes/commit-notifier';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { ChangesReader, type NewChanges } from '../changes/changes.reader';
import {
  LET_GO,
  NEXT_MESSAGE,
  OPEN_DELIVERY,
  OUTLOOK,
  READ_TO,
  STAY_WITH,
  TAKE_DUE,
  type DueWebhook,
  type OpenDelivery,
  type Outlook,
  type TakenWebhook,
} from './sending.query';
import { newMessageId, type WebhookMessage } from './webhook-message';
import { GO_ON_FROM } from './webhook.query';
import { WebhookTries } from './webhook-tries';

const {
  shares: SHARES,
  webhooks: { turn: TURN },
} = LIMITS;
/** Minimum time between two looks, regardless of notifications. */
const APART_MS = 250;
/** Polling interval while a message waits for its time. */
const WAITING_MS = 1_000;
/** Polling interval otherwise: a notification may be lost, and a process that died leaves taken webhooks. */
const UNNOTIFIED_MS = 5_000;
/** Longer than an attempt may take; webhooks taken by a process that died are released after it. */
const TAKEN_FOR_MS = 30_000;
const READ_AT_ONCE = 50;
/** An entry is sent within this time after it was read, or read and judged again. */
const GOOD_FOR_MS = 2_000;
const STOP_WITHIN_MS = 5_000;

/** One webhook's turn in its lane. */
interface Turn {
  /** Its lane. */
  readonly wasSlow: boolean;
  /** Whether the last try was slow: the lane of its next turn. */
  isSlow: boolean;
  /** By `performance.now()`. */
  readonly until: number;
  sent: number;
}

/**
 * Sends webhooks' messages: each webhook's one at a time in the order of the feed, different webhooks in parallel. The
 * database decides which webhooks have work and lets one process at a time work on each (`busy_until`), so servers
 * share them, and another server takes over from one that died. Slow receivers have their own lane, and each account
 * has a share of both lanes, so one account's receivers do not delay those of others (HOOK-16). It looks after commits
 * (`CommitNotifier`), when an attempt is due, and every few seconds.
 */
@Injectable()
export class WebhookSending implements BeforeApplicationShutdown {
  private readonly log = new Logger(WebhookSending.name);
  /** Turns in progress; those of slow receivers are counted separately. */
  private readonly quick = new Set<Promise<void>>();
  private readonly slow = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  /** When the timer fires, and when the last look was, by `performance.now()`. */
  private next = Infinity;
  private looked = -Infinity;
  private looking = false;
  private stopping = false;
  /** Unsubscribes from commits of this process, and of other processes while there is anything to send. */
  private readonly unsubscribers: (() => void)[] = [];
  private isListeningRemotely = false;

  constructor(
    private readonly database: Database,
    private readonly changes: ChangesReader,
    private readonly tries: WebhookTries,
    private readonly sequencer: ChangeSequencer,
    private readonly commits: CommitNotifier,
    private readonly clock: Clock,
  ) {}

  /** Called by the server once it listens, if jobs are enabled. */
  start(): void {
    this.unsubscribers.push(this.commits.subscribe(() => this.scheduleLook(0)));
    this.scheduleLook(0);
  }

  /** Sends all messages that are due. */
  async drain(): Promise<void> {
    do {
      // A look in progress returns at once: let it go on.
      if (this.looking) await pause(1);
      await this.look();
      await Promise.allSettled([...this.quick, ...this.slow]);
    } while (this.looking || this.quick.size + this.slow.size > 0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const silence of this.unsubscribers) silence();
    if (this.timer) clearTimeout(this.timer);
    await Promise.race([
      Promise.allSettled([...this.quick, ...this.slow]),
      new Promise((resolve) => void setTimeout(resolve, STOP_WITHIN_MS).unref()),
    ]);
  }

  /** Schedules a look within this time. */
  private scheduleLook(milliseconds: number): void {
    const at = Math.max(performance.now() + milliseconds, this.looked + APART_MS);
    if (this.stopping || this.next <= at) return;
    if (this.timer) clearTimeout(this.timer);
    this.next = at;
    this.timer = setTimeout(() => void this.look(), at - performance.now()).unref();
  }

  private async look(): Promise<void> {
    [this.timer, this.next, this.looked] = [null, Infinity, performance.now()];
    const [quick, slow] = [SHARES.webhooks.all - this.quick.size, SHARES.slow_webhooks.all - this.slow.size];
    if (this.looking || this.stopping || (quick <= 0 && slow <= 0)) return this.scheduleLook(APART_MS);
    this.looking = true;
    try {
      const now = this.clock.now();
      const values = [now, this.later(now, TAKEN_FOR_MS), quick, slow];
      await this.sequencer.number();
      for (const taken of await this.database.rows<TakenWebhook>(TAKE_DUE, values)) {
        const lane = taken.is_slow ? this.slow : this.quick;
        const turn = this.turn(taken)
          .catch((error: unknown) => this.log.warn({ err: error }, 'a webhook waits'))
          .finally(() => {
            lane.delete(turn);
            // A notification during the look has been ignored.
            this.scheduleLook(APART_MS);
          });
        lane.add(turn);
      }
      this.scheduleLook(await this.outlook());
    } catch (error) {
      this.log.warn({ err: error }, 'webhooks wait');
      this.scheduleLook(WAITING_MS);
    } finally {
      this.looking = false;
    }
  }

  /** Milliseconds until there may be work without a notification. */
  private async outlook(): Promise<number> {
    const [ahead] = await this.database.rows<Outlook>(OUTLOOK);
    if (ahead?.is_used && !this.isListeningRemotely) {
      this.isListeningRemotely = true;
      this.unsubscribers.push(this.commits.listenRemote());
    }
    return ahead?.next_attempt_at ? WAITING_MS : UNNOTIFIED_MS;
  }

  /** Sends messages until the turn is over; a turn in the quick lane ends with the first slow attempt. */
  private async turn({ id, is_slow: wasSlow }: TakenWebhook): Promise<void> {
    const turn: Turn = { wasSlow, isSlow: wasSlow, until: performance.now() + TURN.seconds * 1000, sent: 0 };
    try {
      while (this.goesOn(turn)) {
        const webhook = await this.stayWith(id);
        if (!webhook) return;
        const [open] = await this.database.rows<OpenDelivery>(OPEN_DELIVERY, [id]);
        if (!open) {
          if (webhook.status !== 'active' || !(await this.sendNews(webhook, turn))) return;
        } else {
          const isDue =
            open.is_asked ||
            (webhook.status === 'active' && open.next_attempt_at !== null && open.next_attempt_at <= this.clock.now());
          if (!isDue) return;
          if (!(await this.send(webhook, open, turn)) && !open.is_asked) return;
        }
      }
    } finally {
      await this.database.rows(LET_GO, [id, turn.isSlow, this.clock.now()]);
    }
  }

  private goesOn({ wasSlow, isSlow, until, sent }: Turn): boolean {
    return !this.stopping && sent < TURN.messages && performance.now() < until && (wasSlow || !isSlow);
  }

  /** True if the receiver has accepted it. */
  private async send(webhook: DueWebhook, delivery: OpenDelivery, turn: Turn): Promise<boolean> {
    const { isTaken, isSlow } = await this.tries.send(webhook, delivery);
    turn.isSlow = isSlow;
    turn.sent++;
    return isTaken;
  }

  /**
   * Creates messages from the next entries of the feed, and sends them one by one. False at the end of the feed, and at
   * the first message that is not accepted.
   */
  private async sendNews(webhook: DueWebhook, turn: Turn): Promise<boolean> {
    const began = performance.now();
    const last = await this.sequencer.number();
    const news = await this.read(webhook);
    if (!news) return false;
    let { position, sent_cursor: previous } = webhook;
    let isFirst = true;
    for (const data of news.entries) {
      if (!isFirst && (!this.goesOn(turn) || performance.now() - began > GOOD_FOR_MS)) return true;
      const message: WebhookMessage = { type: data.type, timestamp: data.at, previous, data };
      const messageId = newMessageId();
      const body = JSON.stringify(message);
      const now = this.clock.now();
      const [made] = await this.database.rows<{ id: string }>(NEXT_MESSAGE, [
        webhook.id,
        messageId,
        body,
        data.cursor,
        now,
        position,
        this.later(now, TAKEN_FOR_MS),
      ]);
      if (!made) return !isFirst;
      position = previous = data.cursor;
      const delivery = {
        id: made.id,
        message_id: messageId,
        body,
        is_test: false,
        is_asked: false,
        status: 'pending',
        attempts: 0,
        first_attempt_at: null,
        next_attempt_at: null,
      } as const;
      if (!(await this.send(webhook, delivery, turn))) return false;
      isFirst = false;
    }
    await this.database.rows(READ_TO, [webhook.id, news.cursor, news.hasMore ? 0 : last, this.clock.now(), position]);
    return !isFirst || news.hasMore;
  }

  /** Null, and continues from now, if the feed no longer contains the webhook's position. */
  private async read({ id, user_id, scopes, position, types }: DueWebhook): Promise<NewChanges | null> {
    try {
      return await this.changes.after({ id: Number(user_id), scopes }, position, {
        types: types && new Set(types),
        limit: READ_AT_ONCE,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.database.rows(GO_ON_FROM, [id, await this.changes.now(), this.clock.now()]);
      return null;
    }
  }

  private async stayWith(id: string): Promise<DueWebhook | undefined> {
    const now = this.clock.now();
    const [webhook] = await this.database.rows<DueWebhook>(STAY_WITH, [id, this.later(now, TAKEN_FOR_MS), now]);
    return webhook;
  }

  private later(at: Date, milliseconds: number): Date {
    return new Date(at.getTime() + milliseconds);
  }
}

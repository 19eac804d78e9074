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
/** Between two looks, however often it rings. */
const APART_MS = 250;
/** Without a notification, while a message waits for its time. */
const WAITING_MS = 1_000;
/** Without a notification: it can be lost, and a process that dies leaves its webhooks and commits without numbers. */
const UNNOTIFIED_MS = 5_000;
/** Longer than one try may take; who died lets go by itself. */
const TAKEN_FOR_MS = 30_000;
const READ_AT_ONCE = 50;
/** What was read is told within this time, or read and judged anew. */
const GOOD_FOR_MS = 2_000;
const STOP_WITHIN_MS = 5_000;

/** One webhook's time in its lane. */
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
 * Sends webhooks' messages: each webhook's one at a time and in the order of the feed, all webhooks beside each other. Which have
 * something to do is a question to the database, which also sees to it that one process at a time works for each (`busy_until`);
 * so any number of replicas share them, and what one that died has left is taken up by another. Slow receivers have a lane of their
 * own, and each account has a share of both lanes, so nobody's receivers hold up those of others (HOOK-16). It is asked when something was
 * committed (`CommitNotifier`), when a try is due, and else every few seconds.
 */
@Injectable()
export class WebhookSending implements BeforeApplicationShutdown {
  private readonly log = new Logger(WebhookSending.name);
  /** Turns under way, those of slow receivers apart. */
  private readonly quick = new Set<Promise<void>>();
  private readonly slow = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  /** When the timer goes off, and when the last look was, by `performance.now()`. */
  private next = Infinity;
  private looked = -Infinity;
  private looking = false;
  private stopping = false;
  /** Ends the hearing of rings: of this process, and of the others where there is anything to send. */
  private readonly silences: (() => void)[] = [];
  private isReachingOut = false;

  constructor(
    private readonly database: Database,
    private readonly changes: ChangesReader,
    private readonly tries: WebhookTries,
    private readonly sequencer: ChangeSequencer,
    private readonly commits: CommitNotifier,
    private readonly clock: Clock,
  ) {}

  /** Called by the server once it listens, where jobs are on. */
  start(): void {
    this.silences.push(this.commits.subscribe(() => this.lookIn(0)));
    this.lookIn(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const silence of this.silences) silence();
    if (this.timer) clearTimeout(this.timer);
    await Promise.race([
      Promise.allSettled([...this.quick, ...this.slow]),
      new Promise((resolve) => void setTimeout(resolve, STOP_WITHIN_MS).unref()),
    ]);
  }

  /** A look is due in so many milliseconds at the latest. */
  private lookIn(milliseconds: number): void {
    const at = Math.max(performance.now() + milliseconds, this.looked + APART_MS);
    if (this.stopping || this.next <= at) return;
    if (this.timer) clearTimeout(this.timer);
    this.next = at;
    this.timer = setTimeout(() => void this.look(), at - performance.now()).unref();
  }

  private async look(): Promise<void> {
    [this.timer, this.next, this.looked] = [null, Infinity, performance.now()];
    const [quick, slow] = [SHARES.webhooks.all - this.quick.size, SHARES.slow_webhooks.all - this.slow.size];
    if (this.looking || this.stopping || (quick <= 0 && slow <= 0)) return this.lookIn(APART_MS);
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
            // What came meanwhile rang in vain.
            this.lookIn(APART_MS);
          });
        lane.add(turn);
      }
      this.lookIn(await this.outlook());
    } catch (error) {
      this.log.warn({ err: error }, 'webhooks wait');
      this.lookIn(WAITING_MS);
    } finally {
      this.looking = false;
    }
  }

  /** Milliseconds until there may be something to do without a ring. */
  private async outlook(): Promise<number> {
    const [ahead] = await this.database.rows<Outlook>(OUTLOOK);
    if (ahead?.is_used && !this.isReachingOut) {
      this.isReachingOut = true;
      this.silences.push(this.commits.listenRemote());
    }
    return ahead?.next_attempt_at ? WAITING_MS : UNNOTIFIED_MS;
  }

  /** Sends what there is, for as long as a turn lasts; one in the lane of the quick ends with the first try that is slow. */
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

  /** True when the receiver has taken it. */
  private async send(webhook: DueWebhook, delivery: OpenDelivery, turn: Turn): Promise<boolean> {
    const { isTaken, isSlow } = await this.tries.send(webhook, delivery);
    turn.isSlow = isSlow;
    turn.sent++;
    return isTaken;
  }

  /** Makes messages of what the feed has next, and sends them one by one. False at the end of the feed, and at the first message that is not taken. */
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

  /** Null, and on from now, where the feed no longer goes back so far. */
  private async read({ id, user_id, position, types }: DueWebhook): Promise<NewChanges | null> {
    try {
      return await this.changes.after({ id: Number(user_id) }, position, {
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

import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Clock } from '../time/clock';
import { CommitNotifier } from './commit-notifier';

const { turn: TURN } = LIMITS.webhooks;
/** Minimum time between two polls, regardless of notifications. */
const APART_MS = 250;
/** Polling interval while a message waits for its time. */
const WAITING_MS = 1_000;
/**
 * Polling interval otherwise. A notification may be lost, and receivers taken by a process that died have to be found.
 */
const UNNOTIFIED_MS = 5_000;
/** Longer than an attempt may take; receivers taken by a process that died are released after it. */
const TAKEN_FOR_MS = 30_000;
const STOP_WITHIN_MS = 5_000;

/** Maximum number of turns of this process in each lane. */
export interface Lanes {
  readonly quick: number;
  readonly slow: number;
}

/** A taken receiver, and its lane. */
export interface TakenReceiver {
  readonly id: string;
  readonly is_slow: boolean;
}

/** Whether there is any receiver, and the time of the next attempt. */
export interface Outlook {
  readonly is_used: boolean;
  readonly next_attempt_at: Date | null;
}

/** One receiver's turn in its lane. */
export interface Turn {
  /** Whether the turn is in the slow lane. */
  readonly wasSlow: boolean;
  /** Whether the last attempt was slow, which decides the lane of the next turn. */
  isSlow: boolean;
  /** End of the turn, by `performance.now()`. */
  readonly until: number;
  sent: number;
}

/**
 * Sends messages to receivers: those of one receiver one at a time, different receivers in parallel. The database
 * decides which receivers have work and lets one process at a time work on each (`busy_until`), so servers share them,
 * and another server takes over from one that died. Slow receivers have their own lane, and each account has a share of
 * both lanes, so one account's receivers do not delay those of others (HOOK-16). The sender polls the database after
 * commits (`CommitNotifier`), when an attempt is due, and every few seconds.
 */
export abstract class LaneSender implements BeforeApplicationShutdown {
  protected readonly log = new Logger(this.constructor.name);
  /** Turns in progress; those of slow receivers are counted separately. */
  private readonly quick = new Set<Promise<void>>();
  private readonly slow = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  /** When the timer fires, and when the last poll was, by `performance.now()`. */
  private next = Infinity;
  private lastPoll = -Infinity;
  private isPolling = false;
  private started = false;
  private hasFailed = false;
  private stopping = false;
  /** Unsubscribes from commits of this process, and of other processes while there is anything to send. */
  private readonly unsubscribers: (() => void)[] = [];
  private isListeningRemotely = false;

  constructor(
    private readonly lanes: Lanes,
    private readonly commits: CommitNotifier,
    protected readonly clock: Clock,
  ) {}

  /** Takes receivers with work until `until`, at most `free` in each lane. */
  protected abstract take(now: Date, until: Date, free: Lanes): Promise<readonly TakenReceiver[]>;
  /**
   * One step of a receiver's turn, for which the receiver is taken until `until`; false if nothing is left to do now.
   */
  protected abstract step(id: string, turn: Turn, until: Date): Promise<boolean>;
  protected abstract letGo(id: string, isSlow: boolean, now: Date): Promise<unknown>;
  protected abstract outlook(): Promise<Outlook>;

  /** Called by the server once it listens, if jobs are enabled. */
  start(): void {
    this.started = true;
    this.unsubscribers.push(this.commits.subscribe(() => this.schedulePoll(0)));
    this.schedulePoll(0);
  }

  /** Sends all messages that are due; ends early after an error, which would happen again. */
  async drain(): Promise<void> {
    this.hasFailed = false;
    for (let taken = 1; (taken > 0 && !this.hasFailed) || this.isPolling || this.quick.size + this.slow.size > 0;) {
      // A poll returns at once while another one is in progress.
      if (this.isPolling) await pause(1);
      taken = await this.poll();
      await Promise.allSettled([...this.quick, ...this.slow]);
    }
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

  protected goesOn({ wasSlow, isSlow, until, sent }: Turn): boolean {
    return !this.stopping && sent < TURN.messages && performance.now() < until && (wasSlow || !isSlow);
  }

  /** The time until which a receiver that is taken now is not available to other processes. */
  protected takenUntil(now: Date): Date {
    return new Date(now.getTime() + TAKEN_FOR_MS);
  }

  /** Schedules a poll within this time. */
  private schedulePoll(milliseconds: number): void {
    const at = Math.max(performance.now() + milliseconds, this.lastPoll + APART_MS);
    if (!this.started || this.stopping || this.next <= at) return;
    if (this.timer) clearTimeout(this.timer);
    this.next = at;
    this.timer = setTimeout(() => void this.poll(), at - performance.now()).unref();
  }

  /** Begins turns of receivers with work; returns their number. */
  private async poll(): Promise<number> {
    [this.timer, this.next, this.lastPoll] = [null, Infinity, performance.now()];
    const free = { quick: this.lanes.quick - this.quick.size, slow: this.lanes.slow - this.slow.size };
    if (this.isPolling || this.stopping || (free.quick <= 0 && free.slow <= 0)) {
      this.schedulePoll(APART_MS);
      return 0;
    }
    this.isPolling = true;
    try {
      const now = this.clock.now();
      const all = await this.take(now, this.takenUntil(now), free);
      for (const taken of all) {
        const lane = taken.is_slow ? this.slow : this.quick;
        const turn = this.turn(taken)
          .catch((error: unknown) => {
            this.hasFailed = true;
            this.log.warn({ err: error }, 'a receiver waits');
          })
          .finally(() => {
            lane.delete(turn);
            // A notification during the poll has been ignored.
            this.schedulePoll(APART_MS);
          });
        lane.add(turn);
      }
      this.schedulePoll(await this.untilWork());
      return all.length;
    } catch (error) {
      this.log.warn({ err: error }, 'messages wait');
      this.schedulePoll(WAITING_MS);
      return 0;
    } finally {
      this.isPolling = false;
    }
  }

  /** Milliseconds until there may be work without a notification. */
  private async untilWork(): Promise<number> {
    const ahead = await this.outlook();
    if (ahead.is_used && !this.isListeningRemotely) {
      this.isListeningRemotely = true;
      this.unsubscribers.push(this.commits.listenRemote());
    }
    return ahead.next_attempt_at ? WAITING_MS : UNNOTIFIED_MS;
  }

  /** Sends messages until the turn is over; a turn in the quick lane ends with the first slow attempt. */
  private async turn({ id, is_slow: wasSlow }: TakenReceiver): Promise<void> {
    const turn: Turn = { wasSlow, isSlow: wasSlow, until: performance.now() + TURN.seconds * 1000, sent: 0 };
    try {
      while (this.goesOn(turn) && (await this.step(id, turn, this.takenUntil(this.clock.now()))));
    } finally {
      await this.letGo(id, turn.isSlow, this.clock.now());
    }
  }
}

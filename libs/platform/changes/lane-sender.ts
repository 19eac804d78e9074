import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Clock } from '../time/clock';
import { CommitNotifier } from './commit-notifier';

const { turn: TURN } = LIMITS.webhooks;
/** Minimum milliseconds between two polls, even if notifications arrive. */
const MIN_POLL_INTERVAL_MS = 250;
/**
 * Minimum milliseconds between a poll and the poll for the next attempt, even if this attempt is due earlier. Also the
 * pause after a failed poll.
 */
const RETRY_POLL_INTERVAL_MS = 1_000;
/**
 * Maximum milliseconds between two polls. Polls are needed, because a notification may be lost, and because another
 * process may die while it has reserved receivers.
 */
const IDLE_POLL_INTERVAL_MS = 5_000;
/**
 * Milliseconds for which a receiver is reserved; longer than the longest attempt. If the process dies, the reservation
 * expires.
 */
const RESERVATION_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** The maximum number of turns (series of attempts for one receiver) that this process has at once in each lane. */
export interface Lanes {
  readonly quick: number;
  readonly slow: number;
}

/** A receiver that this process has reserved, and its lane. */
export interface ReservedReceiver {
  readonly id: string;
  readonly is_slow: boolean;
}

/** `is_used`: whether there is any receiver, such as an active webhook. Without a receiver, nothing has to be sent. */
export interface NextAttempt {
  readonly is_used: boolean;
  readonly next_attempt_at: Date | null;
}

/** The turn of one receiver in its lane: messages are sent to the receiver until the turn ends. */
export interface Turn {
  /** Whether the turn is in the slow lane. */
  readonly isInSlowLane: boolean;
  /** Whether the last attempt was slow. The lane of the next turn depends on this value. */
  isSlow: boolean;
  /** The time when the turn ends, by `performance.now()`. */
  readonly until: number;
  sent: number;
  /**
   * The end of the turn's reservation, as stored in `busy_until`. If another process has reserved the receiver since, its
   * `busy_until` is another value, and this turn must not change the receiver any more.
   */
  reservedUntil: Date;
}

/**
 * Sends messages to receivers. Messages of one receiver are sent one after another, and messages of different receivers
 * in parallel.
 *
 * The database selects the receivers that have messages, and reserves each for one process (`busy_until`). So several
 * servers share the receivers, and another server continues if a server dies. Slow receivers have a separate lane.
 * In each lane, the number of receivers of one account is limited, so receivers of one account do not delay receivers
 * of other accounts (HOOK-16).
 *
 * The sender polls the database after commits (`CommitNotifier`), after each turn, at the time of the next attempt, and
 * at the latest five seconds after the last poll.
 */
export abstract class LaneSender implements BeforeApplicationShutdown {
  protected readonly log = new Logger(this.constructor.name);
  /** The turns in progress in the quick lane and in the slow lane. */
  private readonly quick = new Set<Promise<void>>();
  private readonly slow = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  /** The time when the timer fires, and the time of the last poll, by `performance.now()`. */
  private nextPoll = Infinity;
  private lastPoll = -Infinity;
  private isPolling = false;
  private started = false;
  private hasFailed = false;
  private readonly stopping = new AbortController();
  /**
   * Functions that end the subscription to the commits of this process and, if there are receivers, the subscription to
   * the commits of other processes.
   */
  private readonly unsubscribers: (() => void)[] = [];
  private isListeningRemotely = false;

  constructor(
    private readonly lanes: Lanes,
    private readonly commits: CommitNotifier,
    protected readonly clock: Clock,
  ) {
    // Each turn may add a listener. Node prints a warning if a signal has more than ten listeners; 0 removes the limit.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Is aborted when the server begins to stop. An attempt must then end soon, so that its result is stored. */
  protected get stop(): AbortSignal {
    return this.stopping.signal;
  }

  /** Reserves receivers that have messages, at most `free` receivers in each lane. The reservation ends at `until`. */
  protected abstract reserve(now: Date, until: Date, free: Lanes): Promise<readonly ReservedReceiver[]>;
  /**
   * One step of a receiver's turn. Extends the reservation from `turn.reservedUntil` to `until`. Returns false if there
   * is nothing more to send now, or if another process has reserved the receiver.
   */
  protected abstract step(id: string, turn: Turn, until: Date): Promise<boolean>;
  protected abstract release(id: string, turn: Turn, now: Date): Promise<unknown>;
  protected abstract nextAttempt(): Promise<NextAttempt>;

  /** The server calls this method after it has started to listen, if the settings enable this kind of message. */
  start(): void {
    this.started = true;
    this.unsubscribers.push(this.commits.subscribe(() => this.schedulePoll(0)));
    this.schedulePoll(0);
  }

  /**
   * Sends all messages that are due. Stops after a failed poll or turn, because the next one would probably fail too.
   */
  async drain(): Promise<void> {
    this.hasFailed = false;
    for (
      let begunTurns = 1;
      (begunTurns > 0 && !this.hasFailed) || this.isPolling || this.quick.size + this.slow.size > 0;
    ) {
      // A poll returns immediately while another poll is in progress.
      if (this.isPolling) await pause(1);
      begunTurns = await this.poll();
      await Promise.allSettled([...this.quick, ...this.slow]);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    if (this.timer) clearTimeout(this.timer);
    await Promise.race([
      Promise.allSettled([...this.quick, ...this.slow]),
      new Promise((resolve) => void setTimeout(resolve, STOP_TIMEOUT_MS).unref()),
    ]);
  }

  protected mayContinue({ isInSlowLane, isSlow, until, sent }: Turn): boolean {
    return !this.stop.aborted && sent < TURN.messages && performance.now() < until && (isInSlowLane || !isSlow);
  }

  /** The end of a reservation that begins at `now`. Until this time, no other process can reserve the receiver. */
  protected reservedUntil(now: Date): Date {
    return new Date(now.getTime() + RESERVATION_MS);
  }

  /**
   * Schedules a poll after `milliseconds`, but not before the minimum interval has passed. Does nothing if an earlier
   * poll is already scheduled.
   */
  private schedulePoll(milliseconds: number): void {
    const now = performance.now();
    const at = Math.max(now + milliseconds, this.lastPoll + MIN_POLL_INTERVAL_MS);
    if (!this.started || this.stop.aborted || this.nextPoll <= at) return;
    if (this.timer) clearTimeout(this.timer);
    this.nextPoll = at;
    this.timer = setTimeout(() => void this.poll(), at - now).unref();
  }

  /** Reserves receivers with messages and begins their turns. Returns the number of these turns. */
  private async poll(): Promise<number> {
    [this.timer, this.nextPoll, this.lastPoll] = [null, Infinity, performance.now()];
    const free = { quick: this.lanes.quick - this.quick.size, slow: this.lanes.slow - this.slow.size };
    if (this.isPolling || this.stop.aborted || (free.quick <= 0 && free.slow <= 0)) {
      this.schedulePoll(MIN_POLL_INTERVAL_MS);
      return 0;
    }
    this.isPolling = true;
    try {
      const now = this.clock.now();
      const until = this.reservedUntil(now);
      const receivers = await this.reserve(now, until, free);
      for (const receiver of receivers) {
        const lane = receiver.is_slow ? this.slow : this.quick;
        const turn = this.turn(receiver, until)
          .catch((error: unknown) => {
            this.hasFailed = true;
            this.log.warn({ err: error }, 'sending to a receiver failed, and will be retried');
          })
          .finally(() => {
            lane.delete(turn);
            // Polls skipped this receiver during its turn, because the receiver was reserved: poll again.
            this.schedulePoll(MIN_POLL_INTERVAL_MS);
          });
        lane.add(turn);
      }
      this.schedulePoll(await this.millisecondsUntilPoll());
      return receivers.length;
    } catch (error) {
      this.log.warn({ err: error }, 'the poll for messages failed, and will be retried');
      this.schedulePoll(RETRY_POLL_INTERVAL_MS);
      return 0;
    } finally {
      this.isPolling = false;
    }
  }

  /** Returns the milliseconds until the next poll: messages may be due without a notification. */
  private async millisecondsUntilPoll(): Promise<number> {
    const next = await this.nextAttempt();
    if (next.is_used && !this.isListeningRemotely) {
      this.isListeningRemotely = true;
      this.unsubscribers.push(this.commits.listenRemote());
    }
    const untilAttempt = (next.next_attempt_at?.getTime() ?? Infinity) - this.clock.now().getTime();
    return Math.min(Math.max(untilAttempt, RETRY_POLL_INTERVAL_MS), IDLE_POLL_INTERVAL_MS);
  }

  /** Sends messages until the turn ends. In the quick lane, the first slow attempt ends the turn. */
  private async turn({ id, is_slow: isInSlowLane }: ReservedReceiver, reservedUntil: Date): Promise<void> {
    const until = performance.now() + TURN.seconds * 1000;
    const turn: Turn = { isInSlowLane, isSlow: isInSlowLane, until, sent: 0, reservedUntil };
    try {
      while (this.mayContinue(turn) && (await this.step(id, turn, this.reservedUntil(this.clock.now()))));
    } finally {
      await this.release(id, turn, this.clock.now());
    }
  }
}

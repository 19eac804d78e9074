import { ServerStopping, ServiceBusy } from './service-busy';

export interface SlotsOptions {
  /** Maximum number of work items that run in parallel. */
  readonly capacity: number;
  /** Maximum length of the queue. If the queue is full, new work is refused immediately. */
  readonly queue: number;
  /**
   * Maximum seconds until work that arrives now would start, estimated from past durations. If the estimate is longer,
   * the work is refused immediately. Without this option, only `queue` limits the length of the queue.
   */
  readonly maxSecondsAhead?: number;
  /** Maximum seconds that work waits in the queue. Work that has not started by then is refused. */
  readonly maxWaitSeconds: number;
  /** The duration in seconds that is assumed until a duration has been measured. */
  readonly assumedSeconds: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * The weight of the latest duration in the average. If the machine becomes slower, the average follows in a few runs.
 */
const LATEST_DURATION_WEIGHT = 0.3;

/**
 * Limits work that needs much memory or processor time. At most `capacity` work items run in parallel; the others wait
 * in a short queue in order of arrival.
 */
export class Slots {
  private free: number;
  private isStopped = false;
  private readonly waiting: Waiting[] = [];
  /** The exponential moving average of durations, in seconds. */
  private average: number;

  constructor(private readonly options: SlotsOptions) {
    this.free = options.capacity;
    this.average = options.assumedSeconds;
  }

  /**
   * Runs the work as soon as a slot is free.
   *
   * @param signal is aborted when the result is no longer needed. Work that still waits then leaves the queue, and the
   * promise is rejected with the signal's reason. Work that has begun continues.
   *
   * @throws ServiceBusy if the queue is full, the wait is too long or the server stops. The work has then not begun.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(signal);
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.average += ((performance.now() - began) / 1000 - this.average) * LATEST_DURATION_WEIGHT;
      this.free++;
      this.startNext();
    }
  }

  /** Whether no work is running and no work is waiting. */
  get idle(): boolean {
    return this.free === this.options.capacity && this.waiting.length === 0;
  }

  /** The estimated seconds until work that arrives now would start. */
  get secondsAhead(): number {
    return this.free > 0 ? 0 : ((this.waiting.length + 1) * this.average) / this.options.capacity;
  }

  /** Refuses waiting and future work. Running work continues. */
  stop(): void {
    this.isStopped = true;
    for (const { refuse } of this.waiting.splice(0)) refuse(new ServerStopping());
  }

  private async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.isStopped) throw new ServerStopping();
    if (this.free > 0) {
      this.free--;
      return;
    }
    const { queue, maxSecondsAhead = Infinity } = this.options;
    if (this.waiting.length >= queue || this.secondsAhead > maxSecondsAhead) throw this.busy();
    await this.waitForSlot(signal);
  }

  private waitForSlot(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const removeHandlers = () => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        start: () => (removeHandlers(), resolve()),
        refuse: (reason) => (removeHandlers(), reject(reason)),
      };
      const removeFromQueue = (reason: () => Error) => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.refuse(reason());
      };
      const onAbort = () => removeFromQueue(() => signal?.reason as Error);
      const timeout = setTimeout(() => removeFromQueue(() => this.busy()), this.options.maxWaitSeconds * 1000);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiting);
    });
  }

  /**
   * Returns the error for refused work. The `Retry-After` of the error is the estimated number of seconds until the
   * queue is short enough for new work.
   */
  private busy(): ServiceBusy {
    const { queue, maxSecondsAhead = Infinity, capacity } = this.options;
    const secondsPerItem = this.average / capacity;
    const itemsAboveQueue = this.waiting.length - queue + 1;
    const itemsAboveEstimate = (this.secondsAhead - maxSecondsAhead) / secondsPerItem;
    return new ServiceBusy(Math.max(1, Math.ceil(secondsPerItem * Math.max(1, itemsAboveQueue, itemsAboveEstimate))));
  }

  private startNext(): void {
    const next = this.waiting.shift();
    if (!next) return;
    this.free--;
    next.start();
  }
}

import { ServerStopping, ServiceBusy } from './service-busy';

export interface SlotsOptions {
  /** How many may work at once. */
  readonly capacity: number;
  /** How many may stand in the queue; one more is turned away at once. */
  readonly queue: number;
  /** Seconds of work that may stand before a newcomer, by what the last ones took; more is turned away at once. Absent: only `queue` counts. */
  readonly work?: number;
  /** Seconds one may stand in the queue. */
  readonly wait: number;
  /** Seconds the work usually takes: the guess until the first has been measured. */
  readonly usual: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/** How much the newest duration counts in the average: it follows a machine that becomes busy within a handful of runs. */
const WEIGHT_OF_THE_LAST = 0.3;

/** A gate for work that costs memory or processor: so many at a time, the others in a short queue, first come first served. */
export class Slots {
  private free: number;
  private stopped = false;
  private readonly waiting: Waiting[] = [];
  /** Seconds: exponential moving average of what the work took. */
  private average: number;

  constructor(private readonly options: SlotsOptions) {
    this.free = options.capacity;
    this.average = options.usual;
  }

  /**
   * Does the work as soon as there is room for it.
   * @param left aborted when nobody wants the work any more: it leaves the queue, and the promise is rejected with the signal's reason
   * @throws ServiceBusy when the queue is full, the wait too long or the server stopping; the work has not begun then.
   */
  async run<T>(work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    await this.take(left);
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.average += ((performance.now() - began) / 1000 - this.average) * WEIGHT_OF_THE_LAST;
      this.free++;
      this.letIn();
    }
  }

  /** Nobody works here and nobody waits. */
  get idle(): boolean {
    return this.free === this.options.capacity && this.waiting.length === 0;
  }

  /** Seconds until a newcomer's turn, were one let into the queue now. */
  get secondsAhead(): number {
    return this.free > 0 ? 0 : ((this.waiting.length + 1) * this.average) / this.options.capacity;
  }

  /** Turns away whoever waits or comes from now on; who works goes on. */
  stop(): void {
    this.stopped = true;
    for (const { refuse } of this.waiting.splice(0)) refuse(new ServerStopping());
  }

  private async take(left?: AbortSignal): Promise<void> {
    left?.throwIfAborted();
    if (this.stopped) throw new ServerStopping();
    if (this.free > 0) {
      this.free--;
      return;
    }
    const { queue, work = Infinity } = this.options;
    if (this.waiting.length >= queue || this.secondsAhead > work) throw this.busy();
    await this.turn(left);
  }

  private turn(left?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(patience);
        left?.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        start: () => (settle(), resolve()),
        refuse: (reason) => (settle(), reject(reason)),
      };
      const quit = (reason: () => Error) => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.refuse(reason());
      };
      const leave = () => quit(() => left?.reason as Error);
      const patience = setTimeout(() => quit(() => this.busy()), this.options.wait * 1000);
      left?.addEventListener('abort', leave, { once: true });
      this.waiting.push(waiting);
    });
  }

  /** `Retry-After`: when the queue will have become short enough, by what the last ones took. */
  private busy(): ServiceBusy {
    const { queue, work = Infinity, capacity } = this.options;
    const each = this.average / capacity;
    const tooMany = this.waiting.length - queue + 1;
    const tooLong = (this.secondsAhead - work) / each;
    return new ServiceBusy(Math.max(1, Math.ceil(each * Math.max(1, tooMany, tooLong))));
  }

  private letIn(): void {
    const next = this.waiting.shift();
    if (!next) return;
    this.free--;
    next.start();
  }
}

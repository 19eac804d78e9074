import { ServiceBusy } from '../http/service-busy';

interface SlotsOptions {
  /** How many may work at once. */
  readonly capacity: number;
  /** How many may stand in the queue; one more is turned away at once. */
  readonly queue: number;
  /** Seconds one may stand in the queue. */
  readonly wait: number;
}

/** Lets one in who stands in the queue. */
type Start = () => void;

/** A gate for work that costs memory or processor: so many at a time, the others in a short queue, first come first served. */
export class Slots {
  private free: number;
  private readonly waiting: Start[] = [];

  constructor(private readonly options: SlotsOptions) {
    this.free = options.capacity;
  }

  /**
   * Does the work as soon as there is room for it.
   * @throws ServiceBusy when the queue is full or the wait too long; the work has not begun then.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.free++;
      this.letIn();
    }
  }

  private take(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return Promise.resolve();
    }
    const { queue, wait } = this.options;
    if (this.waiting.length >= queue) return Promise.reject(new ServiceBusy(wait));
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(patience);
        resolve();
      };
      const patience = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(new ServiceBusy(wait));
      }, wait * 1000);
      this.waiting.push(start);
    });
  }

  private letIn(): void {
    const next = this.waiting.shift();
    if (!next) return;
    this.free--;
    next();
  }
}

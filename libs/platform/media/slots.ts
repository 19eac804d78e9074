import { ServiceBusy } from '../http/service-busy';

interface SlotsOptions {
  /** How many may work at once. */
  readonly capacity: number;
  /** How many may stand in the queue; one more is turned away at once. */
  readonly queue: number;
  /** Seconds one may stand in the queue. */
  readonly wait: number;
}

interface Waiting {
  readonly weight: number;
  start(): void;
}

/** A gate for work that costs memory or processor: so many at a time, the others in a short queue, first come first served. */
export class Slots {
  private free: number;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly options: SlotsOptions) {
    this.free = options.capacity;
  }

  /**
   * Does the work as soon as there is room for it.
   * @param weight how many slots it takes; heavy work may take them all.
   * @throws ServiceBusy when the queue is full or the wait too long; the work has not begun then.
   */
  async run<T>(work: () => Promise<T>, weight = 1): Promise<T> {
    const taken = Math.min(weight, this.options.capacity);
    await this.take(taken);
    try {
      return await work();
    } finally {
      this.free += taken;
      this.letIn();
    }
  }

  private take(weight: number): Promise<void> {
    if (this.waiting.length === 0 && this.free >= weight) {
      this.free -= weight;
      return Promise.resolve();
    }
    const { queue, wait } = this.options;
    if (this.waiting.length >= queue) return Promise.reject(new ServiceBusy(wait));
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        weight,
        start: () => {
          clearTimeout(patience);
          resolve();
        },
      };
      const patience = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        reject(new ServiceBusy(wait));
        this.letIn();
      }, wait * 1000);
      this.waiting.push(one);
    });
  }

  private letIn(): void {
    for (let next = this.waiting[0]; next && this.free >= next.weight; next = this.waiting[0]) {
      this.waiting.shift();
      this.free -= next.weight;
      next.start();
    }
  }
}

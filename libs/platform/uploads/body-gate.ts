import { Slots } from '../media/slots';
import { networkOf } from '../rate-limit/request-windows';

/** Who sends a body: the account once it is known, and the address it comes from. */
export interface Sender {
  readonly account: number | null;
  /** As Fastify gives it. */
  readonly address: string;
}

/**
 * Bodies received at once. One costs a file handle and some 100 KB of memory, so many may be; but few of one account (a phone that
 * sends its album in parallel) and of one network (a café's), so that nobody can take the room of all by sending slowly.
 */
const BODIES = { account: 4, address: 16, all: 128 };
/** As many wait as bring a queue to its end within the seconds. */
const WAIT = 30;
const USUAL = 1;

/** Lets few bodies of one sender in at once; the others of the same sender wait, and nobody else does. */
export class BodyGate {
  private readonly accounts = new SlotsByKey<number>(BODIES.account, 50);
  private readonly addresses = new SlotsByKey<string>(BODIES.address, 100);
  private readonly all = new Slots({ capacity: BODIES.all, queue: 100, wait: WAIT, usual: USUAL });

  /**
   * Receives a body when it is its turn.
   * @param left aborted when the sender has gone
   * @throws ServiceBusy when too many of the same sender wait, or wait too long
   */
  run<T>({ account, address }: Sender, receive: () => Promise<T>, left: AbortSignal): Promise<T> {
    const withinAll = () => this.all.run(receive, left);
    const withinAddress = () => this.addresses.run(networkOf(address), withinAll, left);
    return account === null ? withinAddress() : this.accounts.run(account, withinAddress, left);
  }
}

/** `Slots` for each key, there only while somebody uses them. */
class SlotsByKey<Key> {
  private readonly slots = new Map<Key, Slots>();

  constructor(
    private readonly capacity: number,
    private readonly queue: number,
  ) {}

  async run<T>(key: Key, work: () => Promise<T>, left: AbortSignal): Promise<T> {
    const own = this.slots.get(key) ?? new Slots({ capacity: this.capacity, queue: this.queue, wait: WAIT, usual: USUAL });
    this.slots.set(key, own);
    try {
      return await own.run(work, left);
    } finally {
      if (own.idle) this.slots.delete(key);
    }
  }
}

import { LIMITS } from '#contract/limits';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { networkOf } from '../rate-limit/request-windows';

/** Who sends a body: the account once it is known, and the address it comes from. */
export interface Sender {
  readonly account: number | null;
  /** As Fastify gives it. */
  readonly address: string;
}

/**
 * One body costs a file handle and some 100 KB of memory, so many may be received at once; but few of one account (a phone that
 * sends its album in parallel) and of one network (a café's), so that nobody can take the room of all by sending slowly.
 */
const { account: OF_ACCOUNT, address: OF_ADDRESS, all: OF_ALL } = LIMITS.shares.bodies;
/** As many wait as bring a queue to its end within the seconds. */
const WAIT = 30;
const USUAL = 1;

/** Lets few bodies of one sender in at once; the others of the same sender wait, and nobody else does. */
export class BodyGate {
  private readonly accounts = new Shares<number>({ capacity: OF_ACCOUNT, queue: 50, wait: WAIT, usual: USUAL });
  private readonly addresses = new Shares<string>({ capacity: OF_ADDRESS, queue: 100, wait: WAIT, usual: USUAL });
  private readonly all = new Slots({ capacity: OF_ALL, queue: 100, wait: WAIT, usual: USUAL });

  /**
   * Receives a body when it is its turn.
   * @param left aborted when the sender has gone
   * @throws ServiceBusy when too many of the same sender wait, or wait too long
   */
  run<T>({ account, address }: Sender, receive: () => Promise<T>, left: AbortSignal): Promise<T> {
    const withinAll = () => this.all.run(receive, left);
    const withinAddress = () => this.addresses.run(networkOf(address), withinAll, left);
    return this.accounts.run(account, withinAddress, left);
  }
}

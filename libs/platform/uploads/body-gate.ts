import { LIMITS } from '#contract/limits';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { networkOf } from '../net/network-of';

/** The sender of a body: the account, if it is known, and the address. */
export interface Sender {
  readonly account: number | null;
  /** The IP address as reported by Fastify. */
  readonly address: string;
}

/**
 * A body needs only a file handle and about 100 KB of memory. Therefore the total limit is high. The limits for one
 * account (a phone that uploads an album) and one network (a café) are low, so that slow senders do not delay others.
 */
const { account: PER_ACCOUNT, address: PER_NETWORK, all: TOTAL } = LIMITS.shares.bodies;
/**
 * Maximum seconds that a body waits in each of the three queues: of its account, of its network, and of all bodies. A
 * full queue is usually served within this time.
 */
const WAIT_SECONDS = 30;
/** The seconds that a body is assumed to take, until durations have been measured. */
const ASSUMED_SECONDS = 1;

/**
 * Limits the number of bodies that are received in parallel: for each account (if it is known), for each network, and
 * in total. Further bodies wait. A body that waits because of its account or network does not delay other senders.
 */
export class BodyGate {
  private readonly accounts = new Shares<number>({
    capacity: PER_ACCOUNT,
    queue: 50,
    maxWaitSeconds: WAIT_SECONDS,
    assumedSeconds: ASSUMED_SECONDS,
  });
  private readonly networks = new Shares<string>({
    capacity: PER_NETWORK,
    queue: 100,
    maxWaitSeconds: WAIT_SECONDS,
    assumedSeconds: ASSUMED_SECONDS,
  });
  private readonly all = new Slots({
    capacity: TOTAL,
    queue: 100,
    maxWaitSeconds: WAIT_SECONDS,
    assumedSeconds: ASSUMED_SECONDS,
  });

  /**
   * Receives a body as soon as the limits allow it.
   *
   * @param signal aborted when the sender disconnects
   *
   * @throws ServiceBusy if too many bodies wait already, or if this body waits too long in one queue
   */
  run<T>({ account, address }: Sender, receive: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const withinAll = () => this.all.run(receive, signal);
    const withinNetwork = () => this.networks.run(networkOf(address), withinAll, signal);
    return this.accounts.run(account, withinNetwork, signal);
  }
}

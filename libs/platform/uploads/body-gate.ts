import { LIMITS } from '#contract/limits';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { networkOf } from '../rate-limit/request-windows';

/** The sender of a body: its account once it is known, and its address. */
export interface Sender {
  readonly account: number | null;
  /** The IP address as reported by Fastify. */
  readonly address: string;
}

/**
 * A body costs a file handle and about 100 KB of memory, so many may be received at once. Only a few may belong to one
 * account (a phone that uploads an album in parallel) or network (a café's), so slow senders do not delay others.
 */
const { account: OF_ACCOUNT, address: OF_ADDRESS, all: OF_ALL } = LIMITS.shares.bodies;
/** A queue of this length is served within `WAIT` seconds. */
const WAIT = 30;
const USUAL = 1;

/**
 * Limits the bodies received at once per sender; the others of the same sender wait, without affecting other senders.
 */
export class BodyGate {
  private readonly accounts = new Shares<number>({ capacity: OF_ACCOUNT, queue: 50, wait: WAIT, usual: USUAL });
  private readonly addresses = new Shares<string>({ capacity: OF_ADDRESS, queue: 100, wait: WAIT, usual: USUAL });
  private readonly all = new Slots({ capacity: OF_ALL, queue: 100, wait: WAIT, usual: USUAL });

  /**
   * Receives a body in its turn.
   * @param left aborted when the sender disconnects
   * @throws ServiceBusy if too many of the same sender wait, or wait too long
   */
  run<T>({ account, address }: Sender, receive: () => Promise<T>, left: AbortSignal): Promise<T> {
    const withinAll = () => this.all.run(receive, left);
    const withinAddress = () => this.addresses.run(networkOf(address), withinAll, left);
    return this.accounts.run(account, withinAddress, left);
  }
}

import { LIMITS } from '#contract/limits';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { networkOf } from '../rate-limit/request-windows';

/** The sender of a body: the account, if it is known, and the address. */
export interface Sender {
  readonly account: number | null;
  /** The IP address as reported by Fastify. */
  readonly address: string;
}

/**
 * A body needs a file handle and about 100 KB of memory, so many bodies may be received in parallel. Only a few may
 * belong to one account (a phone that uploads an album) or one network (a café), so that slow senders do not delay
 * others.
 */
const { account: OF_ACCOUNT, address: OF_ADDRESS, all: OF_ALL } = LIMITS.shares.bodies;
/** A queue of this length is served within `WAIT` seconds. */
const WAIT = 30;
const USUAL = 1;

/**
 * Limits the number of bodies that are received in parallel per sender. Further bodies of the sender wait, without an
 * effect on other senders.
 */
export class BodyGate {
  private readonly accounts = new Shares<number>({ capacity: OF_ACCOUNT, queue: 50, wait: WAIT, usual: USUAL });
  private readonly addresses = new Shares<string>({ capacity: OF_ADDRESS, queue: 100, wait: WAIT, usual: USUAL });
  private readonly all = new Slots({ capacity: OF_ALL, queue: 100, wait: WAIT, usual: USUAL });

  /**
   * Receives a body when it is the sender's turn.
   *
   * @param left aborted when the sender disconnects
   *
   * @throws ServiceBusy if too many bodies of the sender wait, or wait too long
   */
  run<T>({ account, address }: Sender, receive: () => Promise<T>, left: AbortSignal): Promise<T> {
    const withinAll = () => this.all.run(receive, left);
    const withinAddress = () => this.addresses.run(networkOf(address), withinAll, left);
    return this.accounts.run(account, withinAddress, left);
  }
}

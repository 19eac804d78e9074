import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '../capacity/service-busy';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { Settings } from '../config/settings';
import { Clock } from '../time/clock';
import { isLocalhost, LOOPBACK, readHostsFile, type HostAddress } from './hosts-file';
import { reachableAddress, type ReachableAddress } from './reachable-address';

const { names, shares } = LIMITS;
const QUEUE_TIMES = { maxWaitSeconds: names.wait, assumedSeconds: names.within };
/**
 * `capacity`: how many names are resolved in parallel. `queue`: how many further names may wait. The queue of an
 * account has room for all of its webhooks.
 */
const ACCOUNT_LIMITS = { ...QUEUE_TIMES, capacity: shares.names.account, queue: LIMITS.webhooks.per_account };
const TOTAL_LIMITS = { ...QUEUE_TIMES, capacity: shares.names.all, queue: 10 * shares.names.all };

/** The error of a lookup that cannot start, because the account has too many other lookups in progress (LIM-16). */
export class TooManyLookups extends Error {
  constructor(readonly retryAfter: number) {
    super('too many name lookups of the account are in progress');
  }
}

/**
 * Resolves the host names that accounts have entered (HOOK-14), and the host names in the client ids of apps (APP-11).
 * All such lookups use this class. `dns.lookup` is not used, because it runs in libuv's thread pool, where a silent
 * nameserver blocks a thread for 10 seconds or longer. Two names with silent nameservers would block all other lookups
 * of the process, even the lookup of the database's address (libuv uses at most half of its four threads for lookups).
 * `Resolver` sends its queries from the event loop.
 */
@Injectable()
export class HostNames {
  private readonly accounts = new Shares<number>(ACCOUNT_LIMITS);
  private readonly all = new Slots(TOTAL_LIMITS);
  /**
   * The names that could not be resolved, each with the time (in milliseconds, by `Clock`) until which it is not
   * queried again. The name that failed longest ago comes first.
   */
  private readonly failed = new Map<string, number>();
  private hosts: ReadonlyMap<string, readonly HostAddress[]> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns all addresses of a name: IPv4 first, or in the order of /etc/hosts if this file has the name. The list is
   * empty if the name cannot be resolved in time, or if a lookup of this name failed less than a minute ago.
   *
   * @param account the account for which the name is resolved
   *
   * @throws TooManyLookups if the account's queue is full, or this lookup could not start within `names.wait` seconds
   * because of other lookups of the account
   *
   * @throws ServiceBusy if the lookup cannot start, because too many lookups of all accounts together are in progress
   */
  async addressesOf(account: number, hostname: string): Promise<readonly HostAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (isLocalhost(name)) return LOOPBACK;
    const hostsEntry = (this.hosts ??= readHostsFile()).get(name);
    if (hostsEntry) return hostsEntry;
    if (this.hasFailed(name)) return [];
    let hasAccountSlot = false;
    try {
      return await this.accounts.run(account, () => {
        hasAccountSlot = true;
        return this.all.run(() => this.resolveName(name));
      });
    } catch (error) {
      if (error instanceof ServiceBusy && !hasAccountSlot) throw new TooManyLookups(error.retryAfter);
      throw error;
    }
  }

  /**
   * Returns the address to which a request to this URL must connect; null if the URL must not be requested or its name
   * does not resolve (`reachableAddress`). Throws like `addressesOf`.
   */
  reachable(account: number, url: string): Promise<ReachableAddress | null> {
    return reachableAddress(url, this.settings.webhooksAllowPrivate, (name) => this.addressesOf(account, name));
  }

  private async resolveName(name: string): Promise<readonly HostAddress[]> {
    // Another lookup of this name may have failed in the meantime.
    if (this.hasFailed(name)) return [];
    const resolver = new Resolver({ timeout: names.answer * 1000, tries: names.tries });
    if (this.settings.nameservers) resolver.setServers(this.settings.nameservers);
    // Nameservers are queried one after another, within one time limit for all.
    const timer = setTimeout(() => resolver.cancel(), names.within * 1000);
    const [four, six] = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ]);
    clearTimeout(timer);
    const found = [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ];
    if (found.length === 0) this.recordFailure(name);
    return found;
  }

  private hasFailed(name: string): boolean {
    return (this.failed.get(name) ?? 0) > this.clock.now().getTime();
  }

  private recordFailure(name: string): void {
    this.failed.delete(name);
    this.failed.set(name, this.clock.now().getTime() + names.failure_kept * 1000);
    const [oldest] = this.failed.keys();
    if (this.failed.size > names.failures && oldest !== undefined) this.failed.delete(oldest);
  }
}

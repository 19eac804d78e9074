import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '../capacity/service-busy';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import { Settings } from '../config/settings';
import { Clock } from '../time/clock';
import { isLocalhost, LOOPBACK, readHostsFile, type HostAddress } from './hosts-file';

const { names, shares } = LIMITS;
const WAITING = { wait: names.wait, usual: names.within };
/**
 * As many names of an account may wait as it may have webhooks. The total limit allows one more name per active
 * account.
 */
const OF_ACCOUNT = { ...WAITING, capacity: shares.names.account, queue: LIMITS.webhooks.per_account };
const OF_ALL = { ...WAITING, capacity: shares.names.all, queue: 10 * shares.names.all };

/** The account has too many lookups in progress (LIM-16). */
export class NamesShareTaken extends Error {
  constructor(readonly retryAfter: number) {
    super('the account has too many names under way');
  }
}

/**
 * Resolves the host names given by accounts (HOOK-14); all such lookups go through here. `dns.lookup` would use libuv's
 * thread pool, where a silent nameserver blocks a thread for 10 s and more. Two such names would block all other
 * lookups of the process, including that of the database's address. `Resolver` sends its queries from the event loop.
 *
 * The order: `localhost` and names below it, /etc/hosts as of the first lookup, names that have just failed,
 * nameservers.
 */
@Injectable()
export class HostNames {
  private readonly accounts = new Shares<number>(OF_ACCOUNT);
  private readonly all = new Slots(OF_ALL);
  /** Expiry of failed names, by `Clock`; the oldest first. */
  private readonly failed = new Map<string, number>();
  private hosts: ReadonlyMap<string, readonly HostAddress[]> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * All addresses of a name, IPv4 first; empty if it does not resolve in time.
   * @param account on whose behalf the name is resolved
   * @throws NamesShareTaken if the account's share stays taken for `names.wait` seconds
   * @throws ServiceBusy if the share of all accounts stays taken
   */
  async addressesOf(account: number, hostname: string): Promise<readonly HostAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (isLocalhost(name)) return LOOPBACK;
    const own = (this.hosts ??= readHostsFile()).get(name);
    if (own) return own;
    if (this.hasFailed(name)) return [];
    let isItsTurn = false;
    try {
      return await this.accounts.run(account, () => {
        isItsTurn = true;
        return this.all.run(() => this.ask(name));
      });
    } catch (error) {
      if (error instanceof ServiceBusy && !isItsTurn) throw new NamesShareTaken(error.retryAfter);
      throw error;
    }
  }

  private async ask(name: string): Promise<readonly HostAddress[]> {
    // Another lookup may have failed while this one waited.
    if (this.hasFailed(name)) return [];
    const resolver = new Resolver({ timeout: names.answer * 1000, tries: names.tries });
    if (this.settings.nameservers) resolver.setServers(this.settings.nameservers);
    // Nameservers are queried one after another, within a common time limit.
    const end = setTimeout(() => resolver.cancel(), names.within * 1000);
    const [four, six] = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ]);
    clearTimeout(end);
    const found = [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ];
    if (found.length === 0) this.rememberFailure(name);
    return found;
  }

  private hasFailed(name: string): boolean {
    return (this.failed.get(name) ?? 0) > this.clock.now().getTime();
  }

  private rememberFailure(name: string): void {
    this.failed.delete(name);
    this.failed.set(name, this.clock.now().getTime() + names.failure_kept * 1000);
    const [oldest] = this.failed.keys();
    if (this.failed.size > names.failures && oldest !== undefined) this.failed.delete(oldest);
  }
}

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
/** As many as an account has webhooks wait for its share, and each of all accounts that are at work may have one more. */
const OF_ACCOUNT = { ...WAITING, capacity: shares.names.account, queue: LIMITS.webhooks.per_account };
const OF_ALL = { ...WAITING, capacity: shares.names.all, queue: 10 * shares.names.all };

/** The account has too many names under way (LIM-16). */
export class NamesShareTaken extends Error {
  constructor(readonly retryAfter: number) {
    super('the account has too many names under way');
  }
}

/**
 * The only place where names of hosts that accounts give become addresses (HOOK-14). `dns.lookup` would ask in libuv's thread pool,
 * where a silent nameserver keeps a thread for 10 s and more: with two such names nothing else of the process is resolved, the
 * database's address included. `Resolver` sends its questions from the event loop.
 *
 * The order: `localhost` and names below it, /etc/hosts as it was at the first question, names that have just failed, nameservers.
 */
@Injectable()
export class HostNames {
  private readonly accounts = new Shares<number>(OF_ACCOUNT);
  private readonly all = new Slots(OF_ALL);
  /** Until when a name that failed is not asked for again, by `Clock`; the oldest first. */
  private readonly failed = new Map<string, number>();
  private hosts: ReadonlyMap<string, readonly HostAddress[]> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * All addresses of a name, IPv4 first; none when it does not resolve in time.
   * @param account on whose behalf the name is resolved
   * @throws NamesShareTaken when the account's share is taken, and stays so for `names.wait` seconds
   * @throws ServiceBusy when that of all accounts is
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
    // While it waited for its turn another question may have found out.
    if (this.hasFailed(name)) return [];
    const resolver = new Resolver({ timeout: names.answer * 1000, tries: names.tries });
    if (this.settings.nameservers) resolver.setServers(this.settings.nameservers);
    // Several nameservers are asked one after the other: together they have no more time than one.
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

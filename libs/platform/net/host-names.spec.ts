import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '#contract/limits';
import { MovableClock } from '#testing/movable-clock';
import { NameServer } from '#testing/name-server';
import { waitUntil } from '#testing/wait-until';
import type { Settings } from '../config/settings';
import { HostNames, TooManyLookups } from './host-names';
import { hostsOf } from './hosts-file';

const { names, shares } = LIMITS;
const HERE = [{ address: '127.0.0.1', family: 4 }];

// HOOK-14
describe('host names that accounts have entered', () => {
  let nameServer: NameServer;
  let clock: MovableClock;
  let hosts: HostNames;

  beforeEach(async () => {
    nameServer = await NameServer.open('good.example.org');
    clock = new MovableClock();
    hosts = new HostNames({ nameservers: [nameServer.address] } as unknown as Settings, clock);
  });
  afterEach(() => nameServer.close());

  const resolve = (account: number, name: string) => hosts.addressesOf(account, name);
  /** Resolves names for an account. The nameserver does not respond to these queries before `startAnswering`. */
  const startLookups = (account: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      resolve(account, `n${n}.of${account}.example.org`).catch((error: unknown) => error),
    );
  const waitForUnanswered = (count: number) => waitUntil(() => nameServer.unanswered.size >= count);

  it('are resolved by the nameserver, unless they are local names', async () => {
    expect(await resolve(1, 'good.example.org')).toEqual(HERE);
    expect(await resolve(1, 'GOOD.example.org.')).toEqual(HERE);
    for (const name of ['localhost', 'LOCALHOST.', 'anything.localhost'])
      expect(await resolve(1, name)).toEqual([...HERE, { address: '::1', family: 6 }]);
    expect(new Set(nameServer.queriedNames)).toEqual(new Set(['good.example.org']));
  });

  // LIM-16
  it('are resolved two at a time per account, without delaying other accounts', async () => {
    const lookups = startLookups(1, shares.names.account + LIMITS.webhooks.per_account + 3);
    let pendingCount = lookups.length;
    for (const pending of lookups) void pending.then(() => pendingCount--);
    const refused = await Promise.all(lookups.slice(-3));
    expect(refused).toEqual([expect.any(TooManyLookups), expect.any(TooManyLookups), expect.any(TooManyLookups)]);
    await waitForUnanswered(shares.names.account);
    // Lookups of another account and lookups in the thread pool (such as of the database's name) do not wait.
    expect(await resolve(2, 'good.example.org')).toEqual(HERE);
    expect(await lookup('localhost', { family: 4 })).toEqual(HERE[0]);
    expect([nameServer.unanswered.size, pendingCount]).toEqual([shares.names.account, lookups.length - 3]);
    nameServer.startAnswering();
    expect(await Promise.all(lookups.slice(0, -3))).toEqual(lookups.slice(0, -3).map(() => []));
  });

  // LIM-16
  it('are resolved twenty at a time in total', async () => {
    const lookups = Array.from({ length: shares.names.all }, (_, n) =>
      startLookups(n + 1, shares.names.account),
    ).flat();
    await waitForUnanswered(shares.names.all);
    await pause(50);
    expect(nameServer.unanswered.size).toBe(shares.names.all);
    nameServer.startAnswering();
    expect(await Promise.all(lookups)).toEqual(lookups.map(() => []));
  });

  it('have no addresses if the nameserver does not respond for a few seconds', async () => {
    expect(await resolve(1, 'silent.example.org')).toEqual([]);
  }, 20_000);

  it('are queried again only a minute after a failure, or earlier if many other names have failed since', async () => {
    nameServer.startAnswering();
    const isQueried = async (name: string): Promise<boolean> => {
      const before = nameServer.queriedNames.length;
      expect(await resolve(1, name)).toEqual([]);
      return nameServer.queriedNames.length > before;
    };
    expect([await isQueried('no.example.org'), await isQueried('no.example.org')]).toEqual([true, false]);
    clock.forward((names.failure_kept - 1) * 1000);
    expect(await isQueried('no.example.org')).toBe(false);
    clock.forward(1_000);
    expect([await isQueried('no.example.org'), await isQueried('no.example.org')]).toEqual([true, false]);
    for (let n = 0; n < names.failures; n++) await resolve(1, `other${n}.example.org`);
    expect(await isQueried('no.example.org')).toBe(true);
  }, 30_000);

  it.each([
    [
      'an address with two names',
      '10.0.0.1 one two',
      [
        ['one', ['10.0.0.1']],
        ['two', ['10.0.0.1']],
      ],
    ],
    ['two addresses of one name', '10.0.0.1 one\n\tfd00::1\tONE # the same\n', [['one', ['10.0.0.1', 'fd00::1']]]],
    ['no name from a line that is not an entry', '# 10.0.0.1 one\n\nnonsense one\n10.0.0.1', []],
  ])('are read from the text of a hosts file: %s', (_what, text, expected) => {
    expect([...hostsOf(text)].map(([name, all]) => [name, all.map(({ address }) => address)])).toEqual(expected);
  });
});

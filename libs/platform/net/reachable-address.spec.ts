import type { HostAddress } from './hosts-file';
import { reachableAddress, type Resolve } from './reachable-address';

const PUBLIC: HostAddress = { address: '93.184.216.34', family: 4 };
/** Stubbed results of lookups. */
const NAMES: Record<string, readonly HostAddress[]> = {
  'bot.example.org': [PUBLIC],
  'six.example.org': [{ address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 }],
  localhost: [{ address: '127.0.0.1', family: 4 }],
  'localhost.': [{ address: '127.0.0.1', family: 4 }],
  'inside.example.org': [{ address: '10.1.2.3', family: 4 }],
  'both.example.org': [PUBLIC, { address: '192.168.1.1', family: 4 }],
  'metadata.example.org': [{ address: '169.254.169.254', family: 4 }],
  'mapped.example.org': [{ address: '::ffff:10.0.0.1', family: 6 }],
  'six-inside.example.org': [PUBLIC, { address: 'fd00::1', family: 6 }],
  'empty.example.org': [],
};
const resolve: Resolve = async (name) => NAMES[name] ?? [];
const reach = (url: string, allowPrivate = false) => reachableAddress(url, allowPrivate, resolve);

/** HOOK-11: webhooks cannot reach internal addresses. */
describe('the addresses to which messages may be sent', () => {
  // HOOK-11
  it.each([
    ['https://bot.example.org/events?a=1', '93.184.216.34'],
    ['https://bot.example.org:8443/', '93.184.216.34'],
    ['https://93.184.216.34/', '93.184.216.34'],
    ['https://six.example.org/', '2606:2800:220:1:248:1893:25c8:1946'],
    ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
    ['HTTPS://BOT.example.ORG/', '93.184.216.34'],
    ['https://1.1.1.1/', '1.1.1.1'],
  ])('include the address of %s, which is %s', async (url, address) =>
    expect(await reach(url)).toMatchObject({ address }),
  );

  // HOOK-11
  it.each([
    // Schemes other than https, addresses with a login, port 0, invalid addresses, names that do not resolve
    'http://bot.example.org/',
    'ftp://bot.example.org/',
    'file:///etc/passwd',
    'gopher://bot.example.org/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https://user@bot.example.org/',
    'https://user:secret@bot.example.org/',
    'https://bot.example.org:0/',
    'https://',
    'https:///inside',
    'https:bot.example.org',
    'bot.example.org',
    'https://bot.example.org\\@127.0.0.1/',
    'https:\\\\127.0.0.1/',
    'https://bot.example.org /',
    '//bot.example.org/',
    '',
    'https://[::1',
    'https://nobody.example.org/',
    'https://empty.example.org/',
    // IPv4 in several notations: private, loopback, link-local, shared, multicast, reserved
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.255.255.254/',
    'https://0.0.0.0/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    // IPv6: loopback, unspecified, local, multicast, mapped, translated, tunnelled, reserved
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:808:808::]/',
    'https://[2001::1]/',
    'https://[2001:0:53aa:64c::]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://[5f00::1]/',
    'https://[4000::1]/',
    // Names that lead to internal addresses
    'https://localhost/',
    'https://localhost./',
    'https://inside.example.org/',
    'https://both.example.org/',
    'https://metadata.example.org/',
    'https://mapped.example.org/',
    'https://six-inside.example.org/',
  ])('do not include the address of %s', async (url) => expect(await reach(url)).toBeNull());

  // HOOK-12
  it('include private addresses and http addresses if the setting allows them; other rules still apply', async () => {
    for (const url of [
      'http://127.0.0.1:4000/hook',
      'https://localhost/',
      'http://[::1]:9/',
      'http://inside.example.org/',
    ])
      expect(await reach(url, true)).not.toBeNull();
    for (const url of [
      'ftp://127.0.0.1/',
      'http://user@127.0.0.1/',
      'http://127.0.0.1:0/',
      'http://nobody.example.org/',
      'file:///etc/passwd',
    ])
      expect(await reach(url, true)).toBeNull();
  });
});

describe('names that resolve differently each time', () => {
  // HOOK-11
  it('are resolved once, and the checked address is returned for the connection', async () => {
    const answers: HostAddress[] = [PUBLIC, { address: '127.0.0.1', family: 4 }];
    let lookupCount = 0;
    const target = await reachableAddress('https://rebinding.example.org/', false, async () => [
      answers[lookupCount++] ?? PUBLIC,
    ]);
    expect([target?.address, lookupCount]).toEqual([PUBLIC.address, 1]);
    // The second lookup returns 127.0.0.1, which is refused.
    expect(
      await reachableAddress('https://rebinding.example.org/', false, async () => [answers[lookupCount++] ?? PUBLIC]),
    ).toBeNull();
  });
});

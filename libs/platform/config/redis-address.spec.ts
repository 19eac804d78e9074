import { EnvironmentReader } from './environment';
import { clusterOf, redisUrl, sentinelsOf } from './redis-address';

// LIM-4
describe('the URL of Redis', () => {
  it.each([
    [
      'redis-sentinel://a:1,b/0?sentinelMasterId=events',
      {
        sentinels: [
          { host: 'a', port: 1 },
          { host: 'b', port: 26_379 },
        ],
        name: 'events',
        db: 0,
      },
    ],
    [
      'redis-sentinel://:p%40ss@a?sentinelMasterId=events',
      { sentinels: [{ host: 'a', port: 26_379 }], name: 'events', db: 0, password: 'p@ss' },
    ],
    [
      'redis-sentinel://jana:p@[::1]:7,10.0.0.2:8/3?sentinelMasterId=e',
      {
        sentinels: [
          { host: '::1', port: 7 },
          { host: '10.0.0.2', port: 8 },
        ],
        name: 'e',
        db: 3,
        username: 'jana',
        password: 'p',
      },
    ],
  ])('may contain sentinels (servers that know the current primary): %s', (url, sentinels) => {
    expect(sentinelsOf(url)).toEqual(sentinels);
    const reader = new EnvironmentReader({ REDIS_URL: url });
    expect([redisUrl(reader), reader.errors]).toEqual([url, []]);
  });

  it.each([
    [
      'redis-cluster://a:1,b',
      {
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6_379 },
        ],
        tls: false,
      },
    ],
    [
      'rediss-cluster://jana:p%40ss@[::1]:7/',
      { nodes: [{ host: '::1', port: 7 }], tls: true, username: 'jana', password: 'p@ss' },
    ],
  ])('may contain the servers of a cluster: %s', (url, cluster) => {
    expect(clusterOf(url)).toEqual(cluster);
    const reader = new EnvironmentReader({ REDIS_URL: url });
    expect([redisUrl(reader), reader.errors]).toEqual([url, []]);
  });

  it.each([
    'redis-cluster://a:b',
    'redis-cluster://a,',
    'redis-cluster://:secret@',
    'redis-cluster://a/1',
    'rediss-cluster://',
    'redis-sentinel://a',
    'redis-sentinel://a/0',
    'Redis-Sentinel://a/0',
    'redis-sentinel://a/x?sentinelMasterId=e',
    'redis-sentinel://a:b?sentinelMasterId=e',
    'redis-sentinel://a,?sentinelMasterId=e',
    'redis-sentinel://:secret@?sentinelMasterId=e',
    'redis-sentinel://:secret%@a?sentinelMasterId=e',
    'redis-sentinel://:secret@a?sentinelMasterId=%e',
    'redis-cluster://%ff:secret@a',
    'redis://:secret%@a',
    'http://a',
  ])('is refused if it is invalid, with an error that does not contain the password: %s', (url) => {
    const reader = new EnvironmentReader({ REDIS_URL: url });
    expect(redisUrl(reader)).toBeNull();
    expect(reader.errors).toEqual([expect.stringMatching(/^REDIS_URL must be /)]);
    expect(reader.errors.join()).not.toContain('secret');
  });

  it.each([
    ['Redis-Sentinel://a:1/0?sentinelMasterId=Events', 'redis-sentinel://a:1/0?sentinelMasterId=Events'],
    ['REDISS-CLUSTER://Jana:P@a:1', 'rediss-cluster://Jana:P@a:1'],
    ['Rediss://Jana:P@a:1', 'rediss://Jana:P@a:1'],
  ])('may have capital letters in its scheme, which becomes lower case: %s', (url, accepted) => {
    const reader = new EnvironmentReader({ REDIS_URL: url });
    expect([redisUrl(reader), reader.errors]).toEqual([accepted, []]);
  });

  it('is not changed if it contains a single server, and is null if REDIS_URL is not set', () => {
    expect([
      redisUrl(new EnvironmentReader({ REDIS_URL: 'rediss://r:1/2' })),
      redisUrl(new EnvironmentReader({})),
      sentinelsOf('redis://r'),
    ]).toEqual(['rediss://r:1/2', null, null]);
  });
});

import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RedisCluster } from '#testing/redis-cluster';
import { RedisWithReplica } from '#testing/redis-sentinel';
import { RedisServer } from '#testing/redis-server';
import { describeWith } from '#testing/requirements';
import { waitUntil } from '#testing/wait-until';
import { Clock } from '#platform/time/clock';
import { MemoryWindows } from './memory-windows';
import { RedisWindows } from './redis-windows';
import { RequestWindows, type Hit } from './request-windows';
import type { Windows } from './request-windows';

class TestClock extends Clock {
  private time = Date.UTC(2026, 4, 1, 12);

  override now(): Date {
    return new Date(this.time);
  }

  move(milliseconds: number): void {
    this.time += milliseconds;
  }
}

const MINUTE = 60_000;

/** Creates the request windows of one process. Several processes may share a storage. */
function requestWindows(windows: Windows, { token = 60, ip = 300, ttl = MINUTE } = {}): RequestWindows {
  return new RequestWindows(windows, {
    throttlers: [
      { name: 'token', limit: token, ttl },
      { name: 'ip', limit: ip, ttl },
    ],
  });
}

function inParallel(times: number, hit: () => Promise<Hit>): Promise<Hit[]> {
  return Promise.all(Array.from({ length: times }, async () => hit()));
}

const countHit = async (windows: Windows, key: string): Promise<number> =>
  (await windows.increment(key, MINUTE, 60, 0, 'token')).totalHits;
const allowedCount = (states: readonly Hit[]) => states.filter((state) => !state.refused).length;

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['log', 'error', 'warn']));

interface Storage {
  open(): Promise<Windows>;
  /** Moves the storage's time forward by at least `milliseconds`. */
  wait(milliseconds: number): Promise<void>;
}

/** The tests that every storage must pass. */
function behavesAsWindows(storage: Storage): void {
  let windows: Windows;
  beforeEach(async () => (windows = await storage.open()));
  afterEach(() => windows.onApplicationShutdown());

  // LIM-1
  it('allow exactly 60 of 200 parallel requests of a token, and count each token separately', async () => {
    const requests = requestWindows(windows);
    const states = await inParallel(200, () => requests.hit('token', 7));
    expect(allowedCount(states)).toBe(60);
    expect(new Set(states.filter((state) => !state.refused).map((state) => state.remaining)).size).toBe(60);
    expect(allowedCount(await inParallel(70, () => requests.hit('token', 8)))).toBe(60);
  });

  // LIM-1, LIM-2
  it('count tokens and addresses separately, with different limits', async () => {
    const requests = requestWindows(windows, { token: 2, ip: 3 });
    expect(allowedCount(await inParallel(9, () => requests.hit('token', '10.0.0.1')))).toBe(2);
    expect(allowedCount(await inParallel(9, () => requests.hit('ip', '10.0.0.1')))).toBe(3);
  });

  it('return the limit, the number of remaining requests, and the number of whole seconds to wait', async () => {
    const requests = requestWindows(windows, { token: 2 });
    const seconds = expect.any(Number) as number;
    expect(await requests.hit('token', 1)).toEqual({
      limit: 2,
      remaining: 1,
      retryAfterSeconds: seconds,
      refused: false,
    });
    expect(await requests.hit('token', 1)).toEqual({
      limit: 2,
      remaining: 0,
      retryAfterSeconds: seconds,
      refused: false,
    });
    const refused = await requests.hit('token', 1);
    expect(refused).toEqual({ limit: 2, remaining: 0, retryAfterSeconds: seconds, refused: true });
    expect(Number.isInteger(refused.retryAfterSeconds)).toBe(true);
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('use a caller’s own limit instead of the configured one', async () => {
    const requests = requestWindows(windows);
    expect(allowedCount(await inParallel(9, () => requests.hit('token', 1, 5)))).toBe(5);
  });

  // LIM-1
  it('begin again when they end; refused requests do not postpone the end of a window', async () => {
    const requests = requestWindows(windows, { token: 1, ttl: 400 });
    expect(await requests.hit('token', 1)).toMatchObject({ refused: false });
    expect(await requests.hit('token', 1)).toMatchObject({ refused: true, retryAfterSeconds: 1 });
    // If refused requests extended the window, this loop would never end.
    while ((await requests.hit('token', 1)).refused) await storage.wait(50);
    expect(await requests.hit('token', 1)).toMatchObject({ refused: true });
  });

  // LIM-2
  it('count IPv6 addresses by their /64 network, and mapped IPv4 addresses as IPv4', async () => {
    const requests = requestWindows(windows, { ip: 1 });
    const refused = async (ip: string) => (await requests.hit('ip', ip)).refused;
    expect(await refused('2001:db8:1:2::1')).toBe(false);
    expect(await refused('2001:DB8:1:2:ffff::9')).toBe(true);
    expect(await refused('2001:db8:1:3::1')).toBe(false);
    expect(await refused('192.0.2.7')).toBe(false);
    expect(await refused('::ffff:192.0.2.7')).toBe(true);
  });

  it('implement the interface of @nestjs/throttler', async () => {
    const record = (isBlocked: boolean, totalHits: number) => ({
      totalHits,
      isBlocked,
      timeToExpire: 60,
      timeToBlockExpire: isBlocked ? 60 : 0,
    });
    expect(await windows.increment('someone', MINUTE, 1, 0, 'token')).toEqual(record(false, 1));
    expect(await windows.increment('someone', MINUTE, 1, 0, 'token')).toEqual(record(true, 2));
    expect(await windows.increment('someone', MINUTE, 1, 0, 'ip')).toEqual(record(false, 1));
  });
}

describe('request windows in memory', () => {
  let clock: TestClock;
  beforeEach(() => (clock = new TestClock()));

  behavesAsWindows({
    open: async () => new MemoryWindows(clock),
    wait: async (milliseconds) => clock.move(milliseconds),
  });

  it('drop the key that was counted longest ago when there are too many keys', async () => {
    const windows = new MemoryWindows(clock, 1000);
    await countHit(windows, 'first');
    for (let key = 0; key < 1000; key++) await countHit(windows, String(key));
    expect([await countHit(windows, '999'), await countHit(windows, 'first')]).toEqual([2, 1]);
  });

  it('begin again when the clock is set back by more than the length of a window', async () => {
    const windows = new MemoryWindows(clock);
    await countHit(windows, 'someone');
    clock.move(-60 * MINUTE);
    expect(await windows.increment('someone', MINUTE, 5, 0, 'token')).toMatchObject({ totalHits: 1, timeToExpire: 60 });
  });
});

describeWith('redis-server', 'request windows in Redis', () => {
  let server: RedisServer;
  beforeAll(async () => (server = await RedisServer.start()));
  afterAll(() => server.stop());

  const open = () => RedisWindows.open(server.url, new MemoryWindows(new Clock()));
  const inspect = async <T>(inspection: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(server.url);
    try {
      return await inspection(redis);
    } finally {
      redis.disconnect();
    }
  };

  describe('while Redis answers', () => {
    beforeEach(() => inspect((redis) => redis.flushall()));
    behavesAsWindows({ open, wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)) });

    // LIM-4
    it('are shared by all servers', async () => {
      const [first, second] = [await open(), await open()];
      const [firstServer, secondServer] = [requestWindows(first), requestWindows(second)];
      const states = await Promise.all([
        inParallel(100, () => firstServer.hit('token', 7)),
        inParallel(100, () => secondServer.hit('token', 7)),
      ]);
      expect(allowedCount(states.flat())).toBe(60);
      expect([first.store, second.store]).toEqual(['redis', 'redis']);
      await Promise.all([first.onApplicationShutdown(), second.onApplicationShutdown()]);
    });

    it('store only keys that expire', async () => {
      const windows = await open();
      await requestWindows(windows).hit('token', 7);
      await requestWindows(windows).hit('ip', '2001:db8::1');
      await inspect(async (redis) => {
        const keys = (await redis.keys('*')).sort();
        expect(keys).toEqual(['rate-limit:ip:2001:db8::/64', 'rate-limit:token:7']);
        for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
        await redis.persist('rate-limit:token:7');
        await requestWindows(windows).hit('token', 7);
        expect(await redis.pttl('rate-limit:token:7')).toBeGreaterThan(0);
      });
      await windows.onApplicationShutdown();
    });
  });

  // LIM-4
  it('are counted in the process while Redis does not run, and are shared again when Redis runs again', async () => {
    const windows = await open();
    const requests = requestWindows(windows, { token: 5 });
    expect(await requests.hit('token', 9001)).toMatchObject({ remaining: 4 });

    await server.kill();
    expect(allowedCount(await inParallel(20, () => requests.hit('token', 9001)))).toBe(5);
    expect(windows.store).toBe('memory-for-redis');

    await server.resume();
    await waitUntil(() => windows.store === 'redis');
    expect(await requests.hit('token', 9001)).toMatchObject({ remaining: 4 });
    await windows.onApplicationShutdown();
  });

  // LIM-4
  it('do not wait for a Redis that does not answer', async () => {
    const windows = await open();
    const requests = requestWindows(windows, { token: 5 });
    server.freeze();
    expect(allowedCount(await inParallel(20, () => requests.hit('token', 2)))).toBe(5);
    expect(windows.store).toBe('memory-for-redis');
    const late = await open();
    expect(await requestWindows(late).hit('token', 2)).toMatchObject({ refused: false });
    expect(late.store).toBe('memory-for-redis');
    server.wake();
    await waitUntil(() => windows.store === 'redis' && late.store === 'redis');
    await Promise.all([windows.onApplicationShutdown(), late.onApplicationShutdown()]);
  });

  it('are counted in the process if Redis cannot be reached at the start', async () => {
    await server.kill();
    const windows = await open();
    expect(await requestWindows(windows).hit('token', 1)).toMatchObject({ refused: false });
    await server.resume();
    await waitUntil(() => windows.store === 'redis');
    await windows.onApplicationShutdown();
  });
});

describeWith('redis-server', 'request windows in a Redis that sentinels watch', () => {
  // LIM-4
  it('are shared again, on the Redis server that takes over, after the first Redis server fails', async () => {
    const redis = await RedisWithReplica.start();
    const open = () => RedisWindows.open(redis.url, new MemoryWindows(new Clock()));
    const [first, second] = [await open(), await open()];
    expect([await countHit(first, 'before'), await countHit(second, 'before')]).toEqual([1, 2]);
    await redis.kill();
    await Promise.all([countHit(first, 'meanwhile'), countHit(second, 'meanwhile')]);
    expect([first.store, second.store]).toEqual(['memory-for-redis', 'memory-for-redis']);
    await waitUntil(() => first.store === 'redis' && second.store === 'redis');
    expect([await countHit(first, 'after'), await countHit(second, 'after')]).toEqual([1, 2]);
    await Promise.all([first.onApplicationShutdown(), second.onApplicationShutdown()]);
    await redis.stop();
  }, 60_000);

  it('are counted in this process while no sentinel answers', async () => {
    const windows = await RedisWindows.open(
      'redis-sentinel://127.0.0.1:1/0?sentinelMasterId=events',
      new MemoryWindows(new Clock()),
    );
    expect([windows.store, await countHit(windows, 'x')]).toEqual(['memory-for-redis', 1]);
    await windows.onApplicationShutdown();
  });
});

/** Number of tokens that `expectExactCounts` checks. With this number, each of the three servers stores some keys. */
const TOKENS = 12;

// OPS-72
describeWith('redis-server', 'request windows in a cluster of Redis', () => {
  let redis: RedisCluster;
  beforeAll(async () => (redis = await RedisCluster.start()), 60_000);
  afterAll(() => redis.stop());

  const open = () => RedisWindows.open(redis.url, new MemoryWindows(new Clock()));

  // LIM-1, LIM-4
  it('are exact on each server of the cluster, and continue on a server that takes over', async () => {
    const [first, second] = [await open(), await open()];
    expect([first.store, second.store]).toEqual(['redis', 'redis']);
    const [firstServer, secondServer] = [requestWindows(first), requestWindows(second)];
    // If the machine is busy for longer than the timeout for Redis, requests are counted in the process. The check is
    // then repeated with another token.
    const areShared = () => first.store === 'redis' && second.store === 'redis';
    let token = 0;
    const expectExactCounts = async () => {
      for (let countedTokens = 0; countedTokens < TOKENS;) {
        await waitUntil(areShared);
        token++;
        const states = await Promise.all([
          inParallel(35, () => firstServer.hit('token', token)),
          inParallel(35, () => secondServer.hit('token', token)),
        ]);
        if (!areShared()) continue;
        expect(allowedCount(states.flat())).toBe(60);
        countedTokens++;
      }
    };
    await expectExactCounts();
    await redis.killFirstServer();
    // No request fails: after the first failed command, a process counts all keys in its own memory.
    while (first.store === 'redis' || second.store === 'redis') {
      token++;
      for (const windows of [first, second]) expect(await countHit(windows, String(token))).toBeLessThanOrEqual(2);
    }
    await expectExactCounts();
    await Promise.all([first.onApplicationShutdown(), second.onApplicationShutdown()]);
  }, 60_000);

  it('are counted in this process while no server of the cluster answers', async () => {
    const windows = await RedisWindows.open('redis-cluster://127.0.0.1:1,127.0.0.1:2', new MemoryWindows(new Clock()));
    expect([windows.store, await countHit(windows, 'x')]).toEqual(['memory-for-redis', 1]);
    await windows.onApplicationShutdown();
  });
});

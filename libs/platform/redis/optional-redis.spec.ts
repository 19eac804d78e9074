import { setTimeout as pause } from 'node:timers/promises';
import { OptionalRedis } from './optional-redis';
import { RETRY_INTERVAL_MS } from './redis-connection';
import { waitUntil } from '#testing/wait-until';

/** No program listens on the port of this URL. */
const URL_WITHOUT_REDIS = 'redis://127.0.0.1:1';

describe('an optional Redis', () => {
  it('is not probed again after it was closed during a probe', async () => {
    let probes = 0;
    let fail: () => void = () => undefined;
    const redis = await OptionalRedis.open(URL_WITHOUT_REDIS, {
      scripts: {},
      unavailableText: 'the test continues',
      availableText: 'the test continues',
      probe: () => {
        probes++;
        return new Promise((_resolve, reject) => (fail = () => reject(new Error('closed'))));
      },
    });
    await waitUntil(() => probes > 0);
    redis.close();
    fail();
    await pause(RETRY_INTERVAL_MS + 300);
    expect(probes).toBe(1);
  });
});

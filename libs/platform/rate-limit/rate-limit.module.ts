import { Inject, Module, type DynamicModule, type FactoryProvider, type OnApplicationShutdown } from '@nestjs/common';
import { getStorageToken, minutes, ThrottlerModule } from '@nestjs/throttler';
import { Clock } from '#platform/time/clock';
import { thisWorker } from '../workers/worker';
import { MemoryWindows } from './memory-windows';
import { PrimaryWindows } from './primary-windows';
import { RedisWindows } from './redis-windows';
import { RequestWindows } from './request-windows';
import type { Windows } from './request-windows';

/** Requests a minute, and where they are counted. */
interface RateLimitOptions {
  readonly tokenPerMinute: number;
  readonly ipPerMinute: number;
  /** Without one the windows are kept in memory: of this process, or of the primary one where this is a worker. */
  readonly redisUrl?: string | undefined;
  /** For the windows in memory; Redis has its own. */
  readonly clock: Clock;
}

/** How the options are found: `{ inject: [Settings, Clock], useFactory: (settings, clock) => … }`. */
type RateLimitFactory = Pick<FactoryProvider<RateLimitOptions>, 'inject' | 'useFactory'>;

/**
 * The request windows: @nestjs/throttler's module with a storage of our own. Its guard is not used, because guards do
 * not run on unknown routes and its headers get suffixes; `RequestWindows` is asked by the admission instead.
 */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(@Inject(getStorageToken()) private readonly windows: Windows) {}

  static forRootAsync({ inject, useFactory }: RateLimitFactory): DynamicModule {
    const throttler = ThrottlerModule.forRootAsync({
      inject: inject ?? [],
      useFactory: async (...dependencies: unknown[]) => {
        const options = await useFactory(...dependencies);
        return {
          throttlers: [
            { name: 'token', ttl: minutes(1), limit: options.tokenPerMinute },
            { name: 'ip', ttl: minutes(1), limit: options.ipPerMinute },
          ],
          storage: await openWindows(options),
        };
      },
    });
    return { global: true, module: RateLimitModule, imports: [throttler], providers: [RequestWindows], exports: [RequestWindows] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.windows.close();
  }
}

async function openWindows({ redisUrl, clock }: RateLimitOptions): Promise<Windows> {
  const worker = thisWorker();
  const here = worker ? new PrimaryWindows(worker.primary) : new MemoryWindows(clock);
  return redisUrl ? RedisWindows.open(redisUrl, here) : here;
}

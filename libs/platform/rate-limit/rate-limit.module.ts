import { Inject, Module, type DynamicModule, type FactoryProvider, type OnApplicationShutdown } from '@nestjs/common';
import { getStorageToken, minutes, ThrottlerModule } from '@nestjs/throttler';
import { Clock } from '#platform/time/clock';
import { MemoryWindows } from './memory-windows';
import { RedisWindows } from './redis-windows';
import { RequestWindows, type Windows } from './request-windows';

/** Requests per minute, and the storage of the counters. */
interface RateLimitOptions {
  readonly tokenPerMinute: number;
  readonly ipPerMinute: number;
  /** Without Redis the counters are in the memory of this process. */
  readonly redisUrl?: string | undefined;
  /** For the windows in memory; Redis has its own. */
  readonly clock: Clock;
}

/** Factory of the options: `{ inject: [Settings, Clock], useFactory: (settings, clock) => … }`. */
type RateLimitFactory = Pick<FactoryProvider<RateLimitOptions>, 'inject' | 'useFactory'>;

/**
 * @nestjs/throttler with a custom storage. Its guard cannot preserve the order of refusals
 * (docs/adr/0313-throttler-storage.md), so admission calls `RequestWindows`.
 */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(@Inject(getStorageToken()) private readonly windows: Windows) {}

  static forRootAsync({ inject, useFactory }: RateLimitFactory): DynamicModule {
    const throttler = ThrottlerModule.forRootAsync({
      inject: inject ?? [],
      useFactory: async (...dependencies: unknown[]) => {
        const { tokenPerMinute, ipPerMinute, redisUrl, clock } = await useFactory(...dependencies);
        const memory = new MemoryWindows(clock);
        return {
          throttlers: [
            { name: 'token', ttl: minutes(1), limit: tokenPerMinute },
            { name: 'ip', ttl: minutes(1), limit: ipPerMinute },
          ],
          storage: redisUrl ? await RedisWindows.open(redisUrl, memory) : memory,
        };
      },
    });
    return {
      global: true,
      module: RateLimitModule,
      imports: [throttler],
      providers: [RequestWindows],
      exports: [RequestWindows],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.windows.close();
  }
}

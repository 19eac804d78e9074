import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { LIMITS } from '#contract/limits';
import { Clock } from '#platform/time/clock';
import { Settings } from '../config/settings';
import { MemoryWindows } from './memory-windows';
import { RedisWindows } from './redis-windows';
import { RequestWindows } from './request-windows';

/**
 * Uses @nestjs/throttler with a storage of this service (in memory, or in Redis if REDIS_URL is set). `Admission` calls
 * `RequestWindows` and not the library's guard, because Nest runs guards only after it has found a route
 * (docs/adr/0313-throttler-storage.md).
 */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [Settings, Clock],
      useFactory: async ({ rateLimitTokenPerMinute, rateLimitIpPerMinute, redisUrl }: Settings, clock: Clock) => {
        const memory = new MemoryWindows(clock);
        const ttl = LIMITS.requests.window * 1000;
        return {
          throttlers: [
            { name: 'token', ttl, limit: rateLimitTokenPerMinute },
            { name: 'ip', ttl, limit: rateLimitIpPerMinute },
          ],
          storage: redisUrl ? await RedisWindows.open(redisUrl, memory) : memory,
        };
      },
    }),
  ],
  providers: [RequestWindows],
  exports: [RequestWindows],
})
export class RateLimitModule {}

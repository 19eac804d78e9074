import { Test } from '@nestjs/testing';
import { Clock } from '#platform/time/clock';
import { RateLimitModule } from './rate-limit.module';
import { RequestWindows } from './request-windows';

describe('the module of request windows', () => {
  it('takes the limits of the settings', async () => {
    const useFactory = () => ({ tokenPerMinute: 2, ipPerMinute: 3, clock: new Clock() });
    const app = await Test.createTestingModule({ imports: [RateLimitModule.forRootAsync({ useFactory })] }).compile();
    await app.init();
    const windows = app.get(RequestWindows);
    expect([await windows.hit('token', 1), await windows.hit('ip', '192.0.2.1')]).toMatchObject([
      { limit: 2, remaining: 1 },
      { limit: 3, remaining: 2 },
    ]);
    expect(windows.place).toBe('memory');
    await app.close();
  });
});

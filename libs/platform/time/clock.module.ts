import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from './clock';

@Global()
@Module({})
export class ClockModule {
  /** @param clock replaces the system's clock (in the sandbox) */
  static with(clock?: Clock): DynamicModule {
    return {
      module: ClockModule,
      providers: [clock ? { provide: Clock, useValue: clock } : Clock],
      exports: [Clock],
    };
  }
}

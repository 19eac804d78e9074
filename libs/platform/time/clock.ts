import { Injectable } from '@nestjs/common';

/**
 * The source of the current time in the TypeScript code of the service. It is injected, so that tests and the sandbox
 * can change the time. SQL gets this time as a parameter, or calls `now()`, which follows the sandbox's clock too
 * (SBX-7). The code reads the system's time only for comparisons with other clocks, such as file times.
 */
@Injectable()
export class Clock {
  now(): Date {
    // eslint-disable-next-line no-restricted-syntax -- the clock itself reads the system's time
    return new Date();
  }
}

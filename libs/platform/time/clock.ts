import { Injectable } from '@nestjs/common';

/**
 * The only source of the current time in TypeScript. It is injected everywhere, so that tests and the sandbox can
 * change the time. SQL gets this time as a parameter, or calls `now()`, which follows the sandbox's clock too (SBX-7).
 */
@Injectable()
export class Clock {
  now(): Date {
    // eslint-disable-next-line no-restricted-syntax -- the one place that reads the system's time
    return new Date();
  }
}

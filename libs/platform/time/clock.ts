import { Injectable } from '@nestjs/common';

/**
 * The only source of the current time. It is injected everywhere, and passed to SQL as a parameter, so that tests can
 * change the time.
 */
@Injectable()
export class Clock {
  now(): Date {
    // eslint-disable-next-line no-restricted-syntax -- the one place that reads the system's time
    return new Date();
  }
}

import { Injectable } from '@nestjs/common';

/**
 * The single source of the current time. Injected everywhere and passed into SQL as a parameter, so that tests can move
 * time.
 */
@Injectable()
export class Clock {
  now(): Date {
    // eslint-disable-next-line no-restricted-syntax -- the one place that reads the system's time
    return new Date();
  }
}

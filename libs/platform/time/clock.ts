import { Injectable } from '@nestjs/common';

/** The one source of "now". Injected everywhere and passed into SQL as a parameter, so a test can move time. */
@Injectable()
export class Clock {
  now(): Date {
    // eslint-disable-next-line no-restricted-syntax -- the one place that reads the system's time
    return new Date();
  }
}

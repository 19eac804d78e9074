import type { LoggerService } from '@nestjs/common';
import { isThrownStartupError } from '#platform/logging/nest-log';
import { terminal } from './terminal';

/**
 * Writes warnings and errors to stderr, because stdout contains only the result. Other log lines are dropped. An
 * error that Nest both logs and throws is dropped too, because run-command.ts prints the thrown error.
 */
export class StderrLogger implements LoggerService {
  log(): void {}

  warn(message: unknown): void {
    this.write(message);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (!isThrownStartupError(rest)) this.write(message);
  }

  private write(message: unknown): void {
    const text =
      message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    terminal().stderr.write(`${text}\n`);
  }
}

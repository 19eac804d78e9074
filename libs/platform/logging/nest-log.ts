import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { describeError } from './redaction';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Contexts of Nest that log every module and route at each start. These lines are not relevant for operators. */
const ONLY_FOR_DEBUGGING: ReadonlySet<string> = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** The contexts of Nest's log lines about errors that Nest also throws. */
const CONTEXTS_OF_THROWN_ERRORS: ReadonlySet<string> = new Set(['ExceptionHandler', 'NestApplication']);

/**
 * Whether a line of Nest's log reports a startup error. Nest also throws this error, and the program prints the thrown
 * error. `rest` contains the parameters after the message.
 */
export function isThrownStartupError(rest: readonly unknown[]): boolean {
  return rest.some((text) => CONTEXTS_OF_THROWN_ERRORS.has(String(text)));
}

/**
 * Writes lines of Nest's `Logger` in the same form as lines of Fastify. As usual in Nest, the last text is the context;
 * a stack does not count as a text. Fields can be passed as an object before the message, for example
 * `log.error({ err, job }, 'job failed')`.
 */
export class NestLog implements LoggerService {
  /** Lines of the level info get the level debug if their context is in `quiet` or in `ONLY_FOR_DEBUGGING`. */
  constructor(
    private readonly logger: FastifyBaseLogger,
    private readonly quiet: readonly string[] = [],
  ) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(
      rest.some((text) => ONLY_FOR_DEBUGGING.has(String(text)) || this.quiet.includes(String(text))) ? 'debug' : 'info',
      message,
      rest,
    );
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(isThrownStartupError(rest) ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const texts = rest.filter((one): one is string => typeof one === 'string');
    const stack = texts.find(isStack);
    const withoutStacks = texts.filter((text) => !isStack(text));
    const context = withoutStacks.at(-1);
    const fields = { ...(context !== undefined && { context }), ...(stack !== undefined && { stack: frames(stack) }) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, describeError(message).message);
    else if (typeof message === 'object' && message !== null)
      this.logger[level]({ ...fields, ...message }, withoutStacks.length > 1 ? withoutStacks[0] : undefined);
    else this.logger[level](fields, String(message));
  }
}

function isStack(text: string): boolean {
  return /\n\s+at /.test(text);
}

/** The frames of a stack. The first line is removed, because it repeats the message. */
function frames(stack: string): string {
  return stack.slice(stack.indexOf('\n') + 1);
}

import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings';
import { idsOf, newLogger, routeOf } from './logger';

/** Fastify's options for logging: `new FastifyAdapter({ ...fastifyLogger(settings) })`. */
type LoggingOptions = Required<Pick<FastifyServerOptions, 'loggerInstance' | 'logController' | 'childLoggerFactory'>>;

export function fastifyLogger(settings: Pick<Settings, 'logLevel' | 'production'>, logger: Logger = newLogger(settings)): LoggingOptions {
  return {
    loggerInstance: logger,
    logController: new OneLinePerRequest(),
    // The ids come with `followRequests`, so a request needs no logger of its own.
    childLoggerFactory: (shared) => shared,
  };
}

/** One line per request, when it is answered. Errors are logged where they are answered, by the exception filter. */
class OneLinePerRequest extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = { ...idsOf(request), ...routeOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 };
    if (error) request.log.warn({ ...line, err: error }, 'request cut short');
    else request.log.info(line, 'request');
  }

  override routeNotFound(): void {}

  override defaultErrorLog(error: Error, request: FastifyRequest): void {
    request.log.error({ ...idsOf(request), ...routeOf(request), err: error }, 'unexpected error');
  }

  override streamError(error: Error, request: FastifyRequest): void {
    request.log.warn({ ...idsOf(request), ...routeOf(request), err: error }, 'answer cut short');
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    this.defaultErrorLog(error, request);
  }
}

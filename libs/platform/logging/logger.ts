import {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Settings } from '../config/settings';
import { currentRequest } from '../context/current-request';
import { describeError, redactedFields, redactedLine } from './redaction';

/**
 * The only logger. It writes JSON lines to stdout. Outside production, if stdout is a terminal, the logger writes
 * readable lines instead. Each line of a request contains the id of the request and, if known, the id of its user.
 * Secrets are removed (redaction.ts).
 */
export function newLogger(
  { logLevel, production }: Pick<Settings, 'logLevel' | 'production'>,
  stream?: DestinationStream,
): Logger {
  const options = {
    level: logLevel,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redactedFields },
    hooks: { streamWrite: redactedLine },
    serializers: {
      req: routeOf,
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
      err: (error: unknown) => (error instanceof Error ? describeError(error) : error),
    },
    mixin: () => idsOf(currentRequest.getStore()),
  };
  return pino(options, stream ?? standardOutput(production));
}

function standardOutput(production: boolean): DestinationStream {
  if (process.stdout.isTTY && !production) return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' });
  // A log call does not wait until the reader of the pipe is ready. The remaining lines are written when the process
  // ends.
  return destination({ dest: 1, sync: false });
}

/**
 * The method and the route's pattern, such as `/api/v1/events/:id`. The path is not logged, because it may contain a
 * code or (in the query) a token.
 */
function routeOf(request: FastifyRequest): { method: string; route: string | null } {
  return { method: request.method, route: request.is404 ? null : (request.routeOptions.url ?? null) };
}

/** The ids that every log line of a request contains. The user's id is known after the token was checked. */
export function idsOf(request: FastifyRequest | undefined): { request_id?: string; user_id?: number } {
  if (!request) return {};
  return request.caller ? { request_id: request.id, user_id: request.caller.id } : { request_id: request.id };
}

/**
 * Assigns log lines to their request. The first hook runs before all other hooks. Reading a body loses the context of
 * the request, so the second hook sets the context again. The third hook logs requests that the client has aborted.
 */
export function followRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => currentRequest.run(request, done));
  fastify.addHook('preValidation', (request, _reply, done) => currentRequest.run(request, done));
  fastify.addHook('onRequestAbort', (request, done) => {
    request.log.info({ ...idsOf(request), ...routeOf(request) }, 'request given up by the client');
    done();
  });
}

type LoggingOptions = Required<Pick<FastifyServerOptions, 'loggerInstance' | 'logController' | 'childLoggerFactory'>>;

/** Returns Fastify's options for logging: `new FastifyAdapter({ ...fastifyLogger(settings) })`. */
export function fastifyLogger(
  settings: Pick<Settings, 'logLevel' | 'production'>,
  logger: Logger = newLogger(settings),
): LoggingOptions {
  return {
    loggerInstance: logger,
    logController: new OneLinePerRequest(),
    // A request needs no separate logger: `followRequests` sets the current request, and `mixin` adds its ids.
    childLoggerFactory: (shared) => shared,
  };
}

/** Writes one line for each request after its response. The exception filter logs the errors of handlers. */
class OneLinePerRequest extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = {
      ...idsOf(request),
      ...routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
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

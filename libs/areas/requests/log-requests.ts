import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { isSelfRequest } from '#platform/context/self-request';
import type { RouteTable } from '#platform/http/routes';
import type { Clock } from '#platform/time/clock';
import type { Caller, CallerToken } from '../identity/caller.reader';
import type { RequestLog } from './request-log';
import type { LoggedRequest } from './request.query';
import { RequestPaths, templateOf, loggedText } from './request-path';

type RequestOrigin = Pick<LoggedRequest, 'token_id' | 'token_name' | 'grant_id' | 'app_name'>;

interface Sources {
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly routes: RouteTable;
}

/**
 * Logs every request with a valid token, when its response has ended or the client has disconnected (LOG-1). Requests
 * of the service to itself are not logged.
 */
export function logRequests(fastify: FastifyInstance, { log, clock, routes }: Sources): void {
  let paths: RequestPaths | null = null;
  const templates = new Map<string, string>();

  fastify.addHook('onRequest', (request, reply, done) => {
    logWhenClosed(request, reply);
    done();
  });
  fastify.decorate('logWithoutHooks', logWhenClosed);
  fastify.addHook('onClose', () => log.flush());

  /**
   * Adds the entry when the response is closed. The hook `onResponse` is not used, because it does not run if the
   * client disconnects before the response.
   */
  function logWhenClosed(request: FastifyRequest, reply: FastifyReply): void {
    if (isSelfRequest()) return;
    const bytesBefore = request.raw.socket.bytesWritten;
    reply.raw.once('close', () => {
      const caller = request.caller as Caller | null;
      if (caller) addEntry(request, reply, caller, bytesBefore);
    });
  }

  function addEntry(request: FastifyRequest, reply: FastifyReply, { id, token }: Caller, bytesBefore: number): void {
    paths ??= new RequestPaths(routes.list().map(({ url }) => url));
    const agent = request.headers['user-agent'];
    log.add({
      at: Math.round(clock.now().getTime() - reply.elapsedTime),
      user_id: id,
      request_id: request.id,
      method: request.method,
      route: routeOf(request),
      path: paths.loggedPath(request.url),
      status: reply.statusCode,
      code: request.refusalCode,
      ms: Math.round(reply.elapsedTime),
      bytes: bytesOf(request, reply, bytesBefore),
      dry_run: request.dryRun,
      ...originOf(token),
      user_agent: agent === undefined ? null : loggedText(agent, LIMITS.request_log.user_agent),
    });
  }

  function routeOf({ is404, refusalCode, routeOptions: { url, config } }: FastifyRequest): string | null {
    if (is404 || url === undefined || refusalCode === 'method_not_allowed' || config.hasOwnScopes) return null;
    const template = templates.get(url) ?? templateOf(url);
    templates.set(url, template);
    return template;
  }
}

/**
 * The log contains the id and name only of the account's own tokens. The ids of app tokens and door links come from
 * other sequences, so such an id can be equal to the id of one of the account's own tokens.
 */
function originOf({ id, name, grantId, app, door }: CallerToken): RequestOrigin {
  const isOwn = app === null && door === null;
  return {
    token_id: isOwn ? id : null,
    token_name: isOwn ? name : null,
    grant_id: grantId,
    app_name: app?.name ?? null,
  };
}

/**
 * The size of the response's body. A stream has no `Content-Length`: its size is the number of bytes that were sent
 * over the connection since the request began, without the headers.
 */
function bytesOf({ method, raw }: FastifyRequest, reply: FastifyReply, bytesBefore: number): number {
  if (method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304) return 0;
  const contentLength = Number(reply.getHeader('content-length') ?? NaN);
  if (!Number.isNaN(contentLength)) return contentLength;
  const headerBytes = (reply.raw as unknown as { readonly _header?: string })._header?.length ?? 0;
  return Math.max(0, raw.socket.bytesWritten - bytesBefore - headerBytes);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs a request for which Fastify runs no hooks. Undefined if the request log is switched off. */
    logWithoutHooks?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from '#areas/identity/admission';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { answerBrokenHttp, refuseTunnel } from '#platform/http/broken-http';
import { maxConnections } from '#platform/http/connections';
import { answerError, EnvelopeFilter } from '#platform/http/envelope';
import { readJsonBodies } from '#platform/http/json-body';
import { isApiPath } from '#platform/http/paths';
import { readDryRun } from '#platform/http/prefer';
import { Refusal } from '#platform/http/refusal';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { fastifyLogger } from '#platform/logging/logger';
import { MediaFiles } from '#platform/media/media-files';
import { serveMedia } from '#platform/media/serve-media';
import { Storage } from '#platform/storage/storage';
import { StrictGuard } from '#platform/http/strict';
import { StrictInterceptor } from '#platform/http/strict.interceptor';
import { localeOf, requestId, withoutCors, writeApiHeaders, writeCommonHeaders } from '#platform/http/wire-headers';
import { preparePages } from '#web/web';
import { DailyDocument } from './docs/daily-document';
import { serveDocs } from './docs/serve-docs';
import { addHooks } from './hooks';
import { serveMcp } from './mcp/serve-mcp';
import { serveOAuth } from './oauth/serve-oauth';
import { ServerAdapter } from './server-adapter';
import { HEADERS_TIMEOUT, REQUEST_TIMEOUT } from './timeouts';

/**
 * A connection that transfers no byte in either direction for this many milliseconds is closed, for example if the
 * client does not read a response. The time is longer than `REQUEST_TIMEOUT`.
 */
const IDLE_TIMEOUT = REQUEST_TIMEOUT + 20_000;

/** The paths of the probes for load balancers. They are outside the API. */
export const PROBES = ['/health/live', '/health/ready'];

/** Options of Node's HTTP server. `Host` is not used, because links are built from BASE_URL. */
export const HTTP_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
} as const;

/** Creates Fastify with the options of this service, before Nest adds its routes. */
export function newAdapter(settings: Settings): ServerAdapter {
  const { trustProxy, baseUrl } = settings;
  return new ServerAdapter({
    ...fastifyLogger(settings),
    genReqId: requestId,
    rewriteUrl: pathAndQuery,
    // A path with a long parameter must match its route too. Otherwise the response would be 404 before the scope of
    // the route is checked.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    bodyLimit: LIMITS.transport.json_body,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    multipart: false,
    // class-validator validates input, and resources render responses. Therefore no JSON schemas are declared, and
    // neither ajv nor fast-json-stringify is loaded.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    http: HTTP_OPTIONS,
    // During a shutdown, requests on open connections get a normal response with `Connection: close`.
    return503OnClosing: false,
    clientErrorHandler: (error: Error, socket: Socket) => answerBrokenHttp(error, socket, baseUrl),
    // Fastify runs no hook for a URL that its router cannot decode (`/%`). `answerUnreadableUrl` does the necessary
    // work of the hooks, and responds with 404 or with the error of `Admission`.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void answerUnreadableUrl(request, reply),
  } as ConstructorParameters<typeof ServerAdapter>[0]);
}

/**
 * Returns the path and query of a request. A proxy may send a complete URL (RFC 9112, 3.2.2). The scheme and host in
 * this URL are not used, because links are built from BASE_URL.
 */
function pathAndQuery({ url = '/' }: { readonly url?: string }): string {
  return url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

function noSchema(): never {
  throw new Error('A route has a JSON schema, but DTOs and resources declare its input and output.');
}

/** Configures Fastify for the server, the sandbox and the tests. Call this function before `app.init()`. */
export async function setUpServer(app: NestFastifyApplication): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const admission = app.get(Admission);
  const { baseUrl } = app.get(Settings);

  fastify.decorate('baseUrl', baseUrl);
  fastify.decorate('admission', admission);
  fastify.decorateRequest('refusalCode', null);
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('dryRun', false);
  fastify.decorateRequest('signedInAccountId', null);
  fastify.decorateRequest('authenticated', undefined);
  fastify.decorateRequest('ipHit', null);
  fastify.decorateRequest('tokenHit', null);
  answerUnusualRequests(fastify.server, baseUrl);
  fastify.server.maxConnections = maxConnections();
  readJsonBodies(fastify);
  addHooks(app);
  app.get(ReadingDatabase).start();
  serveMedia(fastify, app.get(Storage), (key) =>
    app.get(ReadingDatabase).during(() => app.get(MediaFiles).refuseOutOfSight(key)),
  );
  const pagesInstance = await preparePages(app);
  (app.getHttpAdapter() as unknown as ServerAdapter).chooseInstanceBy((path) =>
    isApiPath(path) || PROBES.includes(path) ? fastify : pagesInstance(path),
  );
  const today = new DailyDocument(app);
  serveDocs(app, today);
  serveMcp(app, today);
  serveOAuth(app);
  app.useGlobalGuards(new StrictGuard());
  app.useGlobalInterceptors(new StrictInterceptor(app.get(Database)));
  app.useGlobalFilters(new EnvelopeFilter());
}

/**
 * Answers requests for which Node's HTTP server does not emit `request`: requests with an unusual `Expect`, and
 * requests for a tunnel (`CONNECT`).
 */
export function answerUnusualRequests(server: Server, baseUrl: string): void {
  server.on('checkExpectation', ignoreExpectation);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => refuseTunnel(socket, baseUrl));
}

/**
 * Node handles `Expect: 100-continue`. For other expectations, Node would send a 417 without a body. This function
 * ignores them, which RFC 9110 allows.
 */
function ignoreExpectation(this: Server, request: IncomingMessage, response: ServerResponse): void {
  this.emit('request', request, response);
}

async function answerUnreadableUrl(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    request.server.logWithoutHooks?.(request, reply);
    writeCommonHeaders(request.id, reply);
    if (isApiPath(request.url)) {
      writeApiHeaders(request, reply);
      readDryRun(request);
      await request.server.admission.admit(request, reply);
    } else withoutCors(reply);
    throw new Refusal('not_found');
  } catch (error) {
    // No hook sets this header for this URL. `localeOf` knows the caller's language if `admit` has found the caller.
    if (isApiPath(request.url)) void reply.header('content-language', localeOf(request));
    answerError(error, request, reply);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    admission: Admission;
  }
}

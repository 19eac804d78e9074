import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from '#areas/identity/admission';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { answerBrokenHttp, refuseTunnel } from '#platform/http/broken-http';
import { mostConnections } from '#platform/http/connections';
import { answerError, EnvelopeFilter } from '#platform/http/envelope';
import { readJsonBodies } from '#platform/http/json-body';
import { acceptMultipart, limitBodyTime } from '#platform/uploads/bodies';
import { compressAnswers, sayWhatVaries } from '#platform/http/compression';
import { answerConditionally } from '#platform/http/conditional';
import { Refusal } from '#platform/http/refusal';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { KeptAnswers } from '#platform/retries/kept-answers';
import { makeRetriesSafe } from '#platform/retries/safe-retries';
import { decoded, locateCreated, RouteTable } from '#platform/http/routes';
import { fastifyLogger, followRequests } from '#platform/logging/logger';
import { MediaFiles } from '#platform/media/media-files';
import { serveMedia } from '#platform/media/serve-media';
import { Storage } from '#platform/storage/storage';
import { writePages } from '#platform/http/page';
import { StrictGuard } from '#platform/http/strict';
import { localeOf, requestId, writeApiHeaders, writeCommonHeaders } from '#platform/http/wire-headers';
import { serveWeb } from '#web/web';
import { WELL_KNOWN } from '#web/well-known.controller';
import { Readiness } from './readiness';
import { offerMetrics } from './metrics/offer-metrics';
import { offerTraces } from './traces/offer-traces';
import { serveDocs } from './docs/serve-docs';

export const API = '/api/v1';
/** For load balancers; outside the API. */
export const PROBES = ['health/live', 'health/ready'];

/** Milliseconds a client has to send its headers, and a request of any kind: the longest upload and its queue. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 180_000;
/** Milliseconds in which neither side says anything: an answer that nobody reads. Longer than any request. */
const IDLE_TIMEOUT = REQUEST_TIMEOUT + 20_000;
/** Milliseconds that requests under way have to end once the server is told to stop. */
const DRAIN_TIMEOUT = 8_000;

/** Nest's adapter, but what Fastify throws reaches our filter as it is, with its status. */
class PlainErrorsAdapter extends FastifyAdapter {
  override mapException(error: unknown): unknown {
    return error;
  }
}

/** Fastify as this service wants it, before Nest adds its routes. */
export function newAdapter(settings: Settings): FastifyAdapter {
  const { trustProxy } = settings;
  return new PlainErrorsAdapter({
    ...fastifyLogger(settings),
    genReqId: requestId,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    bodyLimit: LIMITS.transport.json_body,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    multipart: false,
    // Input is read by class-validator and answers are made by resources: without JSON schemas neither ajv nor fast-json-stringify is loaded.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    // `Host` is for nobody here: links are written from BASE_URL.
    http: { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    // What still comes on an open connection while we stop is answered as ever, and the connection closed with it.
    return503OnClosing: false,
    // A URL the router cannot read (`/%`) meets no hook: it goes through admission here, and is an unknown path.
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void answerUnreadableUrl(request, reply),
  } as ConstructorParameters<typeof PlainErrorsAdapter>[0]);
}

function noSchema(): never {
  throw new Error('A route has a JSON schema: what is read and answered is declared by DTOs and resources.');
}

/** The one Fastify set-up: main.ts listens with it, the tests ask it. Call it before `app.init()`. */
export async function setUpServer(app: NestFastifyApplication): Promise<void> {
  const settings = app.get(Settings);
  const admission = app.get(Admission);
  const readiness = app.get(Readiness);
  const fastify = app.getHttpAdapter().getInstance();

  followRequests(fastify); // before every other hook, so that their lines carry the request's ids
  offerTraces(app); // before admission, whose statements and refusals are told too
  fastify.decorate('baseUrl', settings.baseUrl);
  fastify.decorate('admission', admission);
  fastify.decorateRequest('refusalCode', null);
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('signedIn', null);
  fastify.decorateRequest('authenticated', null);
  fastify.decorateRequest('ipHit', null);
  fastify.decorateRequest('tokenHit', null);
  fastify.server.on('checkExpectation', ignoreExpectation);
  fastify.server.on('connect', refuseTunnel);
  fastify.server.maxConnections = mostConnections();
  app.get(RouteTable).watch(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    writeCommonHeaders(request.id, reply);
    // Whoever keeps connections open (a balancer) makes the next one elsewhere, and meets no end between two requests.
    if (readiness.isLeaving) reply.header('connection', 'close');
    if (!isApi(request)) return;
    writeApiHeaders(request, reply);
    await admission.admit(request, reply);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isApi(request)) void reply.header('content-language', localeOf(request));
    done(null, payload);
  });
  const isOfApi = (url: string | undefined): boolean => isApiPath(url ?? '');
  writePages(fastify);
  locateCreated(fastify, app.get(RouteTable));
  sayWhatVaries(fastify, isOfApi);
  answerConditionally(fastify, isOfApi);
  makeRetriesSafe(fastify, app.get(KeptAnswers));
  compressAnswers(fastify, isOfApi);
  readJsonBodies(fastify);
  acceptMultipart(fastify);
  limitBodyTime(fastify, settings.bodyPatience * 1000);
  offerMetrics(app);
  app.get(ReadingDatabase).start();
  serveMedia(fastify, app.get(Storage), (key) =>
    app.get(ReadingDatabase).during(() => app.get(MediaFiles).isOutOfSight(key)),
  );
  serveWeb(app);
  serveDocs(app);

  app.setGlobalPrefix(API, { exclude: [...PROBES, ...WELL_KNOWN] });
  app.useGlobalGuards(new StrictGuard());
  app.useGlobalFilters(new EnvelopeFilter());
  fastify.addHook('preClose', (done) => {
    // Whoever has not got an answer by then will not get one; nobody's slow upload holds up the end.
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN_TIMEOUT).unref();
    done();
  });
}

/** `Expect: 100-continue` is met by Node; any other would get Node's own bare 417 (RFC 9110 lets a server ignore them). */
function ignoreExpectation(this: Server, request: IncomingMessage, response: ServerResponse): void {
  this.emit('request', request, response);
}

async function answerUnreadableUrl(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    writeCommonHeaders(request.id, reply);
    if (isApiPath(request.url)) {
      writeApiHeaders(request, reply);
      await request.server.admission.admit(request, reply);
    }
    throw new Refusal('not_found');
  } catch (error) {
    // No hook runs for such a URL. The language is that of the caller, whom admission has found by now.
    if (isApiPath(request.url)) void reply.header('content-language', localeOf(request));
    answerError(error, request, reply);
  }
}

/**
 * By the route that was matched, not by the URL as sent: `/%61pi/v1/user` matches the same route. An unknown path is
 * the API's when it reads so once decoded.
 */
function isApi(request: FastifyRequest): boolean {
  return isApiPath(request.is404 ? decoded(request.url) : (request.routeOptions.url ?? ''));
}

function isApiPath(url: string): boolean {
  return url.startsWith(API) && (url.length === API.length || url[API.length] === '/' || url[API.length] === '?');
}

declare module 'fastify' {
  interface FastifyInstance {
    admission: Admission;
  }
}

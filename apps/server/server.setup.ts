import type { FastifyRequest } from 'fastify';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Admission } from '#areas/identity/admission';
import { Settings } from '#platform/config/settings';
import { EnvelopeFilter } from '#platform/http/envelope';
import { readJsonBodies } from '#platform/http/json-body';
import { RouteTable } from '#platform/http/routes';
import { registerMultipart } from '#platform/http/upload';
import { writeCommonHeaders } from '#platform/http/wire-headers';
import { registerMedia } from '#platform/media/media-routes';
import { Storage } from '#platform/storage/storage';
import { serveReference } from './reference';

const API = '/api/v1';

/** Seconds a client has to send its headers, and its whole request unless a route gives it longer. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;

/** Nest's adapter, but what Fastify throws reaches our filter as it is, with its code. */
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
    requestTimeout: REQUEST_TIMEOUT_MS,
    multipart: false,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1_000 },
    // A URL the router cannot read (`/%`) meets no hook; it is an unknown path like any other.
    frameworkErrors: (error, request, reply) => unreadableUrl(error, request as FastifyRequest, reply as FastifyReply),
  } as ConstructorParameters<typeof FastifyAdapter>[0]);
}

/** The one Fastify set-up: main.ts listens with it, the tests ask it. Call it before `app.init()`. */
export async function setUpServer(app: NestFastifyApplication): Promise<void> {
  const settings = app.get(Settings);
  const admission = app.get(Admission);
  const fastify = app.getHttpAdapter().getInstance();

  fastify.decorate('baseUrl', settings.baseUrl);
  fastify.decorateRequest('caller', null);
  app.get(RouteTable).watch(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    writeCommonHeaders(request.id, reply);
    if (isApi(request)) await admission.admit(request, reply);
  });

  readJsonBodies(fastify);
  await registerMultipart(fastify);
  registerMedia(fastify, app.get(Storage));

  app.setGlobalPrefix(API);
  app.useGlobalFilters(new EnvelopeFilter());
  serveReference(app);
  app.enableShutdownHooks();
}

/**
 * By the route that was matched, not by the URL as sent: `/%61pi/v1/user` matches the same route. An unknown path is
 * the API's when it reads so once decoded.
 */
function isApi(request: FastifyRequest): boolean {
  const path = request.is404 ? decoded(request.url.split('?', 1)[0] ?? '') : (request.routeOptions.url ?? '');
  return path === API || path.startsWith(`${API}/`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

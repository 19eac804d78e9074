import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Admission } from '#areas/identity/admission';
import { RouteOperationIds } from '#areas/identity/route-operation-ids';
import { logRequests } from '#areas/requests/log-requests';
import { RequestLog } from '#areas/requests/request-log';
import { Settings } from '#platform/config/settings';
import { compressAnswers, addVary } from '#platform/http/compression';
import { answerConditionally } from '#platform/http/conditional';
import { readDryRun } from '#platform/http/prefer';
import { writePages } from '#platform/http/page';
import { addLocation } from '#platform/http/location';
import { isApi, MCP_PATH } from '#platform/http/paths';
import { RouteTable } from '#platform/http/routes';
import { localeOf, withoutCors, writeApiHeaders, writeCommonHeaders } from '#platform/http/wire-headers';
import { Maintenance } from '#platform/maintenance/maintenance';
import { refuseChanges } from '#platform/maintenance/refuse-changes';
import { followRequests } from '#platform/logging/logger';
import { Database } from '#platform/database/database';
import { StoredResponses } from '#platform/retries/stored-responses';
import { rollBackDryRuns } from '#platform/retries/dry-runs';
import { makeRetriesSafe } from '#platform/retries/safe-retries';
import { acceptMultipart } from '#platform/uploads/accept-multipart';
import { limitBodyTime } from '#platform/uploads/body-time';
import { ignoreTypesOfEmptyBodies } from '#platform/uploads/empty-bodies';
import { Clock } from '#platform/time/clock';
import { serveMetrics } from './metrics/serve-metrics';
import { Readiness } from './readiness';
import { startTraces } from './traces/start-traces';

/** When the server shuts down, running requests have this many milliseconds to end. */
const DRAIN_TIMEOUT_MS = 8_000;

/**
 * Registers the hooks of the server. Fastify runs the hooks of one kind in the order of their registration. Three
 * plugins have hooks that are not registered here: the pages (libs/web/web.ts) have their own headers and sessions, the
 * pages below /docs (docs/serve-docs.ts) have their own headers, and /mcp (mcp/serve-mcp.ts) calls admission itself.
 * Hooks of a plugin run after the hooks below, and only for the routes of that plugin. Admission (`Admission.admit`)
 * checks the token, the rights and the rate limits of a request.
 */
export function addHooks(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const [admission, readiness, routes] = [app.get(Admission), app.get(Readiness), app.get(RouteTable)];

  // 1. Request context (onRequest, preValidation, onRequestAbort). First, so that every log line contains the ids of
  // its request.
  followRequests(fastify);
  // 2. Traces (onRequest, onResponse, onClose). Before admission, so that a span includes admission's statements and
  //    refusals.
  startTraces(app);
  // 3. Request log (onRequest, onClose). Before admission, so that requests that admission refuses are also logged.
  if (app.get(Settings).requestLog) logRequests(fastify, { log: app.get(RequestLog), clock: app.get(Clock), routes });
  // 4. Route table (onRoute). Before the first route is registered, because the hook runs only for later routes.
  routes.watch(fastify);
  // Operation ids of routes (onRoute). Admission finds the required scope by the operation id of the route.
  app.get(RouteOperationIds).assign(fastify);
  // 5. Common headers, dry runs and admission (onRequest). Before the body is read, and also on unknown paths. The
  // headers come first, because error responses also need them.
  fastify.addHook('onRequest', async (request, reply) => {
    writeCommonHeaders(request.id, reply);
    // During a shutdown, responses close their connections. A load balancer then opens its next connection to another
    // server.
    if (readiness.isLeaving) reply.header('connection', 'close');
    if (!isApi(request)) {
      // Pages have no CORS headers. They have no OPTIONS route either, so a CORS preflight (OPTIONS) for the path of a
      // page matches no route.
      if (request.is404) withoutCors(reply);
      return;
    }
    writeApiHeaders(request, reply);
    readDryRun(request);
    await admission.admit(request, reply);
  });
  // Maintenance (onRequest). After admission. Requests to /mcp are not refused here: the MCP tools send requests to the
  // API, where this hook refuses the requests that change something.
  refuseChanges(fastify, app.get(Maintenance), [MCP_PATH]);
  // 6. Content-Language (onSend). After admission, because the response may use the caller's language.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isApi(request)) void reply.header('content-language', localeOf(request));
    done(null, payload);
  });
  // 7. Lists (preSerialization): a `Page` is converted to the body of the response. Before 8 and 10, which read the
  // body.
  writePages(fastify);
  // 8. Location (preSerialization) of a created resource. After 7, so that lists are already converted.
  addLocation(fastify, routes);
  // 9. Vary (onSend). Before 10, which removes the body of a 304: whether a response gets `Vary` depends on its body.
  addVary(fastify);
  // 10. ETag and 304 (preSerialization, onSend). Before 13, because the ETag is computed from the uncompressed body.
  answerConditionally(fastify);
  // 11. Idempotency keys (onRequest, preHandler, onSend). After 5, which finds the key and its stored response;
  //     `onSend` stores the response with the ETag of 10.
  makeRetriesSafe(fastify, app.get(StoredResponses));
  // 12. Dry runs (onRequest, preHandler, onSend). After 5, which finds the caller, and after 8 and 10, whose headers
  //     this hook removes.
  rollBackDryRuns(fastify, app.get(Database));
  // 13. Compression (onSend). After all hooks that read the text of the body.
  compressAnswers(fastify);
  // 14. Multipart (preValidation, onSend). After 5, so that admission refuses a request before its body is read. If a
  //     form has not arrived completely, `onSend` reads and discards its rest before the response is sent.
  acceptMultipart(fastify);
  // Content types of empty bodies (preParsing). Independent of the other hooks.
  ignoreTypesOfEmptyBodies(fastify);
  // 15. Time limit for receiving the body of a request (preParsing, onResponse). Independent of the other hooks.
  limitBodyTime(fastify, app.get(Settings).bodyTimeoutSeconds * 1000);
  // 16. Metrics (onResponse, onReady, onClose). Last, so that the measured time includes all other hooks.
  serveMetrics(app);
  // 17. Connections (preClose): connections that are still open after DRAIN_TIMEOUT_MS are closed. The only hook of
  //     this kind, so its place does not matter.
  fastify.addHook('preClose', (done) => {
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
    done();
  });
}

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthorizationServer, OAUTH_PATHS, RESOURCE_PATHS, type LibraryAnswer } from '#areas/apps/authorization-server';
import { Settings } from '#platform/config/settings';
import { METADATA_PATH } from '#platform/http/challenge';
import { answerError } from '#platform/http/envelope';
import { wantsPage, type ErrorTexts } from '#platform/http/error-pages';
import { withoutCors } from '#platform/http/wire-headers';
import { resourceMetadata, serverMetadata } from './metadata';

const MAX_BODY_BYTES = 56 * 1024;
/** Endpoints that scripts of every origin may call (CORS). These endpoints use no cookies. */
const OPEN_TO_SITES = [
  OAUTH_PATHS.token,
  OAUTH_PATHS.revocation,
  OAUTH_PATHS.registration,
  OAUTH_PATHS.device_authorization,
];
/** The texts for the person, by the `error` of a refused authorization request that cannot be returned to the app. */
const PAGE_TEXTS: Readonly<Record<string, ErrorTexts>> = {
  invalid_client: { title: { key: 'app_refused' }, text: { key: 'app_unknown' } },
  invalid_redirect_uri: { title: { key: 'app_refused' }, text: { key: 'app_address_unknown' } },
};
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate, Retry-After' };

/**
 * Serves the endpoints of the authorization server (APP-6 to APP-18) and the documents that describe it. Each request
 * to an endpoint is passed to the OAuth library, and the library's response is sent. The pages for people are in
 * libs/web/apps. Call this function once, before `app.init()`.
 */
export function serveOAuth(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const { baseUrl } = app.get(Settings);
  const server = app.get(AuthorizationServer);

  void fastify.register(async (oauth) => {
    oauth.setErrorHandler(answerError);
    oauth.removeAllContentTypeParsers();
    // Fastify does not parse the body, because the library parses it.
    oauth.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      send(await server.answer(requestOf(request)), request, reply);

    for (const path of OPEN_TO_SITES) {
      oauth.options(path, (_request, reply) => preflight(reply, 'POST'));
      oauth.post(path, (request, reply) => answer(request, reply.headers(CORS)));
    }
    for (const path of [OAUTH_PATHS.authorization, `${OAUTH_PATHS.authorization}/:uid`])
      oauth.get(path, { exposeHeadRoute: false }, (request, reply) => answer(request, withoutCors(reply)));
  });

  void fastify.register(async (wellKnown) => {
    wellKnown.setErrorHandler(answerError);
    const documents = {
      '/.well-known/oauth-authorization-server': serverMetadata(baseUrl),
      ...Object.fromEntries(RESOURCE_PATHS.map((path) => [METADATA_PATH + path, resourceMetadata(baseUrl, path)])),
    };
    for (const [path, document] of Object.entries(documents)) {
      wellKnown.options(path, (_request, reply) => preflight(reply, 'GET'));
      wellKnown.get(path, (_request, reply) =>
        reply.headers({ ...CORS, 'cache-control': 'public, max-age=3600' }).send(document),
      );
    }
  });
}

function requestOf({ method, url, headers, body, ip }: FastifyRequest): Parameters<AuthorizationServer['answer']>[0] {
  return { method, url, headers, body: Buffer.isBuffer(body) ? body : null, ip };
}

/** Sends the library's response. If the library cannot return an error to the app, a browser gets an error page. */
async function send(answer: LibraryAnswer, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, headers, body, page } = answer;
  void reply.code(status).headers({ ...headers, 'cache-control': 'no-store' });
  if (page === null || !wantsPage(request)) return reply.send(body);
  reply.removeHeader('content-type');
  const { sendErrorPage } = request.server;
  return sendErrorPage ? sendErrorPage(status, request, reply, PAGE_TEXTS[page.error]) : reply.send(body);
}

function preflight(reply: FastifyReply, method: string): FastifyReply {
  return reply
    .code(204)
    .headers({
      ...CORS,
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'Authorization, Content-Type, *',
      'access-control-max-age': '86400',
    })
    .send();
}

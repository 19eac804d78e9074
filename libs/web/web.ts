import formbody from '@fastify/formbody';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { pathOf } from '#platform/http/paths';
import { parsedJson } from '#platform/text/json';
import { answerFailure, ErrorPages } from './error-pages';
import { pageHeaders } from './headers';
import { registerSessions } from './session';

/** Prefix of the paths to which mail programs send a POST with any type of body. */
const ANY_BODY_PREFIX = '/unsubscribe/';
/** The path to which a script of the notices page sends JSON. */
const JSON_BODY_PATH = '/account/notices/push';

/**
 * Prepares the Fastify plugin of the pages, which runs next to the API on the same server. The hooks for headers,
 * sessions, forms and errors of pages belong to this plugin, so they do not run for API requests. Returns a function
 * that takes the path of a route and returns the Fastify instance on which the route must be registered. Call
 * `preparePages` once, before `app.init()`.
 */
export async function preparePages(app: NestFastifyApplication): Promise<(path: string) => FastifyInstance> {
  const fastify = app.getHttpAdapter().getInstance();
  const settings = app.get(Settings);
  const writeHeaders = pageHeaders(settings);
  let pages: FastifyInstance = fastify;
  let anyBody: FastifyInstance = fastify;
  let jsonBody: FastifyInstance = fastify;
  const errors = app.get(ErrorPages);
  fastify.decorate('sendErrorPage', (...error) => errors.answer(pages, ...error));
  // The registration is awaited, because Nest needs the instance of the plugin to register the routes of pages.
  await fastify.register(async (plugin) => {
    pages = plugin;
    // 1. The headers of every response, including responses to requests that later hooks refuse.
    plugin.addHook('onRequest', async (_request, reply) => writeHeaders(reply));
    // 2. The sessions: their cookies are read in `onRequest` and written in `onSend`.
    await registerSessions(plugin, settings);
    // 3. 404 for a path with a NUL character, which PostgreSQL does not accept in a value.
    plugin.addHook('onRequest', async ({ url }) => {
      if (hasNul(url)) throw new Refusal('not_found');
    });
    // 4. The body limit of a route. Nest passes only the `config` of a route to Fastify, so this hook copies
    // `config.maxBytes` into the option `bodyLimit`.
    plugin.addHook('onRoute', (route) => {
      if (route.config?.maxBytes !== undefined) route.bodyLimit = route.config.maxBytes;
    });
    plugin.decorateRequest('reader', null);
    plugin.decorateRequest('showsForbidden', false);
    plugin.setErrorHandler((error: unknown, request, reply) => {
      answerFailure(error, request, reply);
      return reply;
    });
    plugin.removeContentTypeParser('application/json');
    await plugin.register(async (scope) => {
      anyBody = scope;
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: LIMITS.accounts.form_bytes },
        (_request, _body, done) => done(null, null),
      );
    });
    await plugin.register(async (scope) => {
      jsonBody = scope;
      // The content type need not be application/json. A body that is not valid JSON counts as absent.
      scope.addContentTypeParser(
        '*',
        { parseAs: 'string', bodyLimit: LIMITS.accounts.form_bytes },
        (_request, body, done) => done(null, parsedJson(String(body))),
      );
    });
    await plugin.register(formbody, { bodyLimit: LIMITS.accounts.form_bytes });
  });
  return (path) => {
    if (path === JSON_BODY_PATH) return jsonBody;
    return path.startsWith(ANY_BODY_PREFIX) ? anyBody : pages;
  };
}

function hasNul(url: string): boolean {
  return pathOf(url).includes('%00');
}

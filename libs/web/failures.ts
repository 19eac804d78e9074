import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { localPath } from './local-path';
import type { Pages } from './pages';
import type { Reader } from './readers';
import { readSession } from './session';
import { translator, type TextKey } from './texts';

/** Refusals that are shown as a missing page. */
const NOT_THERE = new Set(['not_found', 'forbidden', 'banned']);
const WITH_PAGE = [403, 404, 429, 503] as const;

/** Errors of pages' routes are answered as everywhere: with a page for browsers (PAGE-21). */
export function answerFailures(web: FastifyInstance): void {
  web.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    answerError(asShown(error), request, reply);
    return reply;
  });
}

/** Creates error pages for every path of the service except the API's. `web`: the application of the pages. */
export function errorPages(
  pages: Pages,
  writeHeaders: (reply: FastifyReply) => void,
): (web: FastifyInstance, status: number, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (web, status, request, reply) => {
    writeHeaders(reply);
    reply.header('vary', 'Accept, Accept-Language');
    const reader = await readerOrStranger(web, request, pages);
    const say = translator(reader.locale);
    const known = WITH_PAGE.find((one) => one === status) ?? (status < 500 ? 400 : 500);
    const key: TextKey = `error_${known}`;
    return pages.show(
      reader,
      reply,
      'error',
      {
        title: say(key),
        text: say(`${key}_text`),
        known,
        next: localPath(request.url),
        formless: true,
      },
      status,
    );
  };
}

function asShown(error: unknown): unknown {
  if (error instanceof Refusal && NOT_THERE.has(error.code)) return new Refusal('not_found');
  // A form without its token, or with that of an older session.
  return (error as { statusCode?: number } | null)?.statusCode === 403 ? new Refusal('forbidden') : error;
}

/** While the database does not answer, every reader counts as signed out. */
async function readerOrStranger(web: FastifyInstance, request: FastifyRequest, pages: Pages): Promise<Reader> {
  try {
    if (!('session' in request)) readSession(web, request);
    return await pages.reader(request);
  } catch {
    return pages.stranger(request);
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '#platform/http/envelope';
import type { AnswerByPage } from '#platform/http/error-pages';
import { Refusal } from '#platform/http/refusal';
import { localPath } from './local-path';
import type { Pages } from './pages';
import type { Reader, Readers } from './readers';
import { readSession } from './session';
import { sayIn, type TextKey } from './texts';
import { view } from './view';

/** A page that the reader may not see is answered like a page that does not exist. */
const NOT_THERE = new Set(['not_found', 'forbidden', 'banned']);
const TOLD = [403, 404, 429, 503] as const;

/** Answers an error of a page route: by a page where the client accepts HTML, else by the envelope (PAGE-21). */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  answerError(asShown(error), request, reply);
}

/** Makes the error pages of every path of the service except the API's. `pagesScope` returns the Fastify plugin of the pages. */
export function errorPages(
  pages: Pages,
  readers: Readers,
  writeHeaders: (reply: FastifyReply) => void,
  pagesScope: () => FastifyInstance,
): AnswerByPage {
  return async (status, request, reply) => {
    writeHeaders(reply);
    reply.header('vary', 'Accept, Accept-Language');
    const reader = await readerOrStranger(pagesScope(), request, readers);
    const say = sayIn(reader.locale);
    const known = TOLD.find((one) => one === status) ?? (status < 500 ? 400 : 500);
    const key: TextKey = `error_${known}`;
    const content = {
      title: say(key),
      text: say(`${key}_text`),
      known,
      next: localPath(request.url),
      formless: true,
    };
    return reply.send(await pages.render(reader, reply, view('error', content, status)));
  };
}

function asShown(error: unknown): unknown {
  if (error instanceof Refusal && NOT_THERE.has(error.code)) return new Refusal('not_found');
  // A form without its token, or with the token of an older session.
  return (error as { statusCode?: number } | null)?.statusCode === 403 ? new Refusal('forbidden') : error;
}

/** While the database does not answer, every reader is treated as a visitor without an account. */
async function readerOrStranger(web: FastifyInstance, request: FastifyRequest, readers: Readers): Promise<Reader> {
  try {
    if (!('session' in request)) readSession(web, request);
    return await readers.readerOf(request);
  } catch {
    return readers.stranger(request);
  }
}

import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import type { Pages } from './pages';
import type { Reader } from './readers';

/** What is not for this reader looks like what is not there. */
const NOT_THERE = new Set(['not_found', 'forbidden', 'banned']);

/** Answers every error of a page by a page, in the reader's language where it can be known. */
export function answerFailures(fastify: FastifyInstance, pages: Pages): void {
  const log = new Logger('Pages');
  fastify.setErrorHandler(async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers } = failureOf(error);
    if (status === 500) log.error({ err: error, request_id: request.id }, 'unexpected error');
    reply.headers(headers);
    return pages.showError(await readerOrStranger(request, pages), reply, status);
  });
}

function failureOf(error: unknown): { status: number; headers: Readonly<Record<string, string>> } {
  if (error instanceof Refusal && NOT_THERE.has(error.code)) return { status: 404, headers: {} };
  // A form without its token, or with that of an older session.
  if ((error as { statusCode?: number } | null)?.statusCode === 403) return { status: 403, headers: {} };
  return envelopeOf(error, 'en');
}

/** While the database does not answer nobody is known. */
async function readerOrStranger(request: FastifyRequest, pages: Pages): Promise<Reader> {
  try {
    return await pages.reader(request);
  } catch {
    return pages.stranger(request);
  }
}

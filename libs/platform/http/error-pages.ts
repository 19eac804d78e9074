import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from './refusal';
import { decoded, pathOf } from './paths';
import { acceptsType } from '../text/weights';

/** Answers an error with an HTML page. */
export type SendErrorPage = (
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal?: Refusal,
) => Promise<FastifyReply>;

/**
 * Whether an error is answered with a page: `Accept` contains text/html, and the path does not belong to the API
 * (PAGE-21).
 */
export function wantsPage({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean {
  return !isBelowApi(url) && acceptsType(headers.accept, 'text/html');
}

/** Whether the first segment of the path, after decoding, is `api`. A segment that cannot be decoded is not `api`. */
function isBelowApi(url: string): boolean {
  const [, first = ''] = pathOf(url).split('/', 2);
  return decoded(first).split('/', 1)[0] === 'api';
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The module of the pages sets this function. Without pages, every error is answered with JSON. */
    sendErrorPage?: SendErrorPage;
  }
}

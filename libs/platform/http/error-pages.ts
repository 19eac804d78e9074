import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Text } from '../messages/messages';
import { decoded, pathOf } from './paths';
import { acceptsType } from '../text/weights';

/** The title and the text of an error page. */
export interface ErrorTexts {
  readonly title: Text;
  readonly text: Text;
}

/** Answers an error with an HTML page. Without `texts`, the page has the general texts for the status. */
export type SendErrorPage = (
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
  texts?: ErrorTexts,
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

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from './refusal';

/** Answers an error by a page for people. */
export type AnswerByPage = (
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal?: Refusal,
) => Promise<FastifyReply>;

/** Whether an error is told by a page: `Accept` names text/html, and it is not the API (PAGE-21). */
export function wantsPage({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean {
  return !isBelowApi(url) && (headers.accept ?? '').split(',').some(namesHtml);
}

/** `text/html`, with a weight or without; by weight 0 it is refused. */
function namesHtml(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}

/** As it reads once decoded, if it can be. */
function isBelowApi(url: string): boolean {
  const [, first = ''] = (url.split('?', 1)[0] ?? '').split('/', 2);
  return decoded(first).split('/', 1)[0] === 'api';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by the pages; the API's server without them answers JSON alone. */
    answerByPage?: AnswerByPage;
  }
}

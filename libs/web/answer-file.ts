import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestTag, isNoneMatchMet } from '#platform/http/etags';

/**
 * Public files may be stored by every cache, the others only by the client; all are revalidated each time, at the price
 * of a 304.
 */
export type Audience = 'public' | 'private';

export interface AnsweredFile {
  readonly type: string;
  readonly content: string;
  readonly audience: Audience;
}

/** Sends a file that programs fetch repeatedly, or 304. */
export function answerFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, content, audience }: AnsweredFile,
): FastifyReply {
  const etag = digestTag(content);
  reply.headers({ etag, 'cache-control': `${audience}, no-cache` });
  if (isNoneMatchMet(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(content);
}

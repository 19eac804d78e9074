import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestTag, isNoneMatchMet } from '#platform/http/etags';

/** What is made for everybody is for every cache, the rest only for who asks; all ask again each time, at the price of a 304. */
export type Audience = 'public' | 'private';

export interface AnsweredFile {
  readonly type: string;
  readonly content: string;
  readonly audience: Audience;
}

/** Answers with a file that programs fetch again and again, or 304 to who has it already. */
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

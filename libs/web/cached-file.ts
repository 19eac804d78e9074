import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestTag, matchesIfNoneMatch } from '#platform/http/etags';

/** `public`: every client gets the same file, and shared caches may store it. `private`: the file is for one person. */
export type Audience = 'public' | 'private';

/** The result of a handler: a file that programs request repeatedly, such as a calendar or a feed. */
export class CachedFile {
  constructor(
    /** The `Content-Type`. */
    readonly type: string,
    readonly content: string,
    readonly audience: Audience,
  ) {}
}

/** Sets the status and the headers, and returns the body (undefined for a 304). Caches must revalidate their copies. */
export function fileBody(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, content, audience }: CachedFile,
): string | undefined {
  const etag = digestTag(content);
  reply.headers({ etag, 'cache-control': `${audience}, no-cache` });
  if (matchesIfNoneMatch(headers['if-none-match'], etag)) {
    reply.code(304);
    return undefined;
  }
  reply.type(type);
  return content;
}

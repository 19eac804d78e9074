import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestTag, isNoneMatchMet } from './etags';
import { tagOf, versionedTag, versionOf } from './versions';

/** Headers of a body, which a 304 does not have. */
const OF_THE_BODY = ['content-type', 'content-length', 'content-language'];

/**
 * Every 200 of a GET of the API has an `ETag`, a digest of its body, and becomes a 304 if the client has that body
 * (RETRY-14 to RETRY-16). This hook is the last one: rights are checked before tags, and a body that changes with time
 * changes its tag.
 */
export function answerConditionally(fastify: FastifyInstance, isApi: (url: string | undefined) => boolean): void {
  fastify.decorateRequest('shown', null);

  // This hook runs before serialization, when the object still has the version for its owner's tag (RETRY-18).
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    const data = (payload as { data?: unknown } | null)?.data;
    if (versionOf(data) !== null) request.shown = data as object;
    done(null, payload);
  });

  fastify.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 304) leaveBodyOut(reply);
    if (!hasBody(payload) || !isApi(request.routeOptions.url)) return payload;
    const { shown } = request;
    if (!isRead(request)) {
      // The tag of the response to GET; this response may contain more.
      const tag = shown && reply.statusCode < 300 ? tagOf(shown) : null;
      if (tag !== null) void reply.header('etag', tag);
      return payload;
    }
    if (reply.statusCode !== 200) return payload;
    const etag = handlersTag(reply.getHeader('etag')) ?? etagOf(payload, versionOf(shown));
    void reply.header('etag', etag);
    if (!isNoneMatchMet(request.headers['if-none-match'], etag)) return payload;
    leaveBodyOut(reply.code(304));
    // Fastify's own hook for HEAD expects a body that it can drop.
    return request.method === 'HEAD' ? '' : null;
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function leaveBodyOut(reply: FastifyReply): void {
  for (const header of OF_THE_BODY) void reply.removeHeader(header);
}

/** A tag set by the handler, for responses with a part that does not change the tag. */
function handlersTag(header: unknown): string | null {
  return typeof header === 'string' ? header : null;
}

function etagOf(payload: string | Buffer, version: ReturnType<typeof versionOf>): string {
  return version === null || typeof payload !== 'string' ? digestTag(payload) : versionedTag(version, payload);
}

function hasBody(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The object shown to its owner, with its version (`withVersion`); null for other responses. */
    shown: object | null;
  }
}
